// What is seen to happen, over the table: a banner, the card that is cast, numbers of damage and life, tiles that lunge, shake,
// come and go. It takes no presses, says nothing to screen readers (the log does), and moves by transform and opacity only.
import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Card } from "../card/Card.tsx";
import { faceOf } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import type { Beat, BeatKind } from "./beats.ts";
import { type Shown, shown } from "./stage.ts";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** A number or sign that rises from where something happened, in client coordinates. */
interface Float {
  x: number;
  y: number;
  text: string;
  kind: string;
}

export function Stage({ view, root }: { view: P.View; root: RefObject<HTMLElement | null> }): JSX.Element {
  const now = shown.value;
  const floats = useSignal<Float[]>([]);
  useLayoutEffect(() => {
    const table = root.current;
    floats.value = now && table ? floatsOf(now.beat, table) : [];
    if (now && table && !STILL.matches) move(now, table);
  }, [now, root, floats]);
  return (
    <div class="stage" aria-hidden="true" data-beat={now?.beat.kind ?? ""} data-shown={now?.id ?? 0}>
      {now && <Centre key={now.id} now={now} view={view} />}
      {floats.value.map((float, at) => (
        <span
          key={`${now?.id} ${at}`}
          class={`float ${float.kind}`}
          style={{ left: `${float.x}px`, top: `${float.y}px`, animationDuration: `${now?.ms ?? 0}ms` }}
        >
          {float.text}
        </span>
      ))}
    </div>
  );
}

/** What is said in a sentence, since it is not seen at one place of the table. */
const BANNERS: ReadonlySet<BeatKind> = new Set(["game", "turn", "out"]);

/** What is said in the middle of the table. */
function Centre({ now, view }: { now: Shown; view: P.View }): JSX.Element | null {
  const { kind, events, at } = now.beat;
  const event = events[0];
  if (!event) return null;
  const lasts = { animationDuration: `${now.ms}ms` };
  if (BANNERS.has(kind)) {
    return (
      <p class={`stage-banner s${event.args?.seat ?? ""}`} style={lasts}>
        {say(event.key ?? "", event.args)}
      </p>
    );
  }
  if (kind !== "cast") return null;
  const id = at[0]?.slice(1) ?? "";
  const thing = view.objects?.[id];
  const face = faceOf(thing, faces.value);
  return (
    <div class={`stage-cast s${event.args?.seat ?? ""}`} style={lasts}>
      {face && (
        <div data-ids={id}>
          <Card face={face} />
        </div>
      )}
      <p>{say(event.key ?? "", event.args)}</p>
    </div>
  );
}

/** Where in a player's header a beat is shown: at the cards in hand, or at the life total. */
const AT_HAND: ReadonlySet<BeatKind> = new Set(["draw"]);

/** The elements that stand for a player or an object. */
function elementOf(key: string, table: HTMLElement, kind?: BeatKind): HTMLElement | null {
  const id = key.slice(1);
  if (key.startsWith("p")) {
    const who = table.querySelector<HTMLElement>(`[data-seat="${id}"]`);
    if (kind && AT_HAND.has(kind)) return who?.parentElement?.querySelector(".figures .figure") ?? who;
    return who?.querySelector<HTMLElement>(".life") ?? who;
  }
  return key ? table.querySelector(`.board [data-ids~="${id}"]`) : null;
}

const SIGNS: Partial<Record<BeatKind, (event: P.Event) => string>> = {
  damage: (event) => (event.key === "event.prevented" ? "🛡" : `−${event.args?.amount ?? ""}`),
  life: (event) =>
    `${event.key === "event.life_gain" || event.key === "event.lifelink" ? "+" : "−"}${event.args?.amount ?? ""}`,
  draw: (event) => `+${event.args?.number ?? 1}`,
  leave: () => "✕",
  countered: () => "✕",
  trigger: () => "✦",
  activate: () => "✦",
};

/** The signs of a beat; what happens several times at one place is one sign with the sum. */
function floatsOf(beat: Beat, table: HTMLElement): Float[] {
  const sign = SIGNS[beat.kind];
  if (!sign) return [];
  const found = new Map<HTMLElement, string[]>();
  beat.events.forEach((event, at) => {
    const element = elementOf(beat.at[at] ?? "", table, beat.kind);
    if (element) found.set(element, [...(found.get(element) ?? []), sign(event)]);
  });
  return [...found].map(([element, texts]) => {
    const box = element.getBoundingClientRect();
    const text = summed(texts);
    const kind = text.startsWith("+") ? `${beat.kind} good` : beat.kind;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, text, kind };
  });
}

function summed(texts: string[]): string {
  const numbers = texts.map((text) => Number(text.replace("−", "-")));
  if (numbers.some(Number.isNaN)) return texts[0] ?? "";
  const sum = numbers.reduce((all, one) => all + one, 0);
  return sum < 0 ? `−${-sum}` : `+${sum}`;
}

type Frames = (element: HTMLElement, to: HTMLElement | null) => Keyframe[];

/** How the tile of each line of a beat moves. */
const MOVES: Partial<Record<BeatKind, Frames>> = {
  attack: (element, to) => lunge(element, to),
  block: (element, to) => lunge(element, to),
  damage: () => [-4, 4, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` })),
  leave: () => [{}, { transform: "scale(.9) rotate(3deg)", opacity: 0.15 }],
  enter: () => [{ transform: "scale(.7)", opacity: 0 }, {}],
  activate: () => [{}, { transform: "translateY(-6px) scale(1.05)" }, {}],
  trigger: () => [{}, { transform: "translateY(-8px) scale(1.08)" }, {}],
};

function move({ beat, ms }: Shown, table: HTMLElement): void {
  const frames = MOVES[beat.kind];
  if (!frames) return;
  const seen = new Set<HTMLElement>();
  beat.events.forEach((event, at) => {
    const key = beat.at[at] ?? "";
    const element = key.startsWith("o") ? elementOf(key, table) : null;
    if (!element || seen.has(element)) return;
    seen.add(element);
    const { target_seat: seat, target_id: id } = event.args ?? {};
    const to = typeof seat === "number" ? `p${seat}` : typeof id === "string" ? `o${id}` : "";
    const fill = beat.kind === "leave" ? "forwards" : "none";
    const moving = element.animate?.(frames(element, elementOf(to, table)), {
      duration: ms,
      easing: "ease-out",
      fill,
    });
    if (moving && fill === "forwards")
      void moving.finished.then(() => moving.cancel()).catch(() => undefined);
  });
}

/** Some pixels towards what is fought, and back. */
function lunge(element: HTMLElement, to: HTMLElement | null): Keyframe[] {
  const from = element.getBoundingClientRect();
  const box = to?.getBoundingClientRect() ?? from;
  const x = box.x + box.width / 2 - from.x - from.width / 2;
  const y = box.y + box.height / 2 - from.y - from.height / 2;
  const far = 18 / (Math.hypot(x, y) || 18);
  return [{}, { transform: `translate(${Math.round(x * far)}px, ${Math.round(y * far)}px)` }, {}];
}

// Arrows over the table: attacks in the colour and dash of the defender's seat, blocks, targets of what is on the stack, and
// what is drafted. Drawn after the layout, so that they end where the tiles are.
import { type Signal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { P } from "../protocol/names.ts";
import { aiming, pointer } from "../questions/aiming.ts";
import { draft, marks } from "../questions/current.ts";
import { choiceKey, objectKey } from "../questions/interaction.ts";
import { shown } from "../stage/stage.ts";
import { attackedSeat } from "../table/fight.ts";
import { dragging, type Hovered, keysAt } from "../table/pointer.ts";
import { BESIDE, beside, curve, Ways } from "./curve.ts";

interface Wanted {
  from: string;
  to: string;
  seat: number;
  kind: "attack" | "block" | "target" | "draft";
  /** Whether it is a block, declared or drafted. */
  blocks?: boolean;
  /** The power of an attacker. */
  power?: number | undefined;
}

interface Drawn {
  key: string;
  path: string;
  seat: number;
  kind: Wanted["kind"];
  count: number;
  x: number;
  y: number;
  /** The keys of what it leads from and to. */
  ends: string[];
  /** One for all attackers of a defender: how strong they are together. */
  power?: number;
  blocks?: boolean | undefined;
  /** Whether a ribbon stands for it. */
  bundled?: boolean;
}

/** Arrows to one defender from so many places are bundled. */
const MANY = 3;

/** All arrows that the view and the draft ask for, from an object's key to a target's key. */
export function wanted(view: P.View): Wanted[] {
  const arrows: Wanted[] = [];
  for (const [id, attack] of Object.entries(view.combat?.attackers ?? {})) {
    arrows.push({
      from: objectKey(id),
      to: choiceKey(attack.defender),
      seat: attackedSeat(id, view),
      kind: "attack",
      power: view.objects?.[id]?.power,
    });
    for (const blocker of attack.blockers ?? []) {
      const seat = view.objects?.[blocker]?.controller ?? 0;
      arrows.push({ from: objectKey(blocker), to: objectKey(id), seat, kind: "block", blocks: true });
    }
  }
  for (const id of view.stack ?? []) {
    const thing = view.objects?.[id];
    for (const target of thing?.targets ?? []) {
      arrows.push({
        from: objectKey(id),
        to: choiceKey(target),
        seat: thing?.controller ?? 0,
        kind: "target",
      });
    }
  }
  for (const arrow of draft.value?.arrows?.value ?? []) {
    const blocks = draft.value?.question.kind === "blockers";
    arrows.push({ from: objectKey(arrow.from), to: arrow.to, seat: arrow.seat, kind: "draft", blocks });
  }
  return arrows;
}

interface Drawing {
  arrows: Drawn[];
  /** All of the window but the badges, as a path: arrows pass beneath those. */
  around: string;
}

interface Props {
  view: P.View;
  root: RefObject<HTMLElement | null>;
  /** What the pointer is on: its fight is shown, the others fade. */
  hovered: Signal<Hovered | null>;
}

export function Arrows({ view, root, hovered }: Props): JSX.Element {
  const drawn = useSignal<Drawing>({ arrows: [], around: "" });
  const moved = useSignal(0);
  useEffect(() => {
    const again = () => {
      moved.value += 1;
    };
    const watch = new ResizeObserver(again);
    const table = root.current;
    if (table) watch.observe(table);
    window.addEventListener("scroll", again, true); // of the board, or of the page that a table stands in
    return () => {
      watch.disconnect();
      window.removeEventListener("scroll", again, true);
    };
  }, [root, moved]);
  const arrows = view.result ? [] : wanted(view);
  // A mark folds and unfolds stacks, so that tiles move, and what is cast comes to the middle of the table and goes: that is
  // asked here only to be drawn again.
  const again = moved.value + marks.value.size + (shown.value?.id ?? 0);
  useLayoutEffect(() => {
    // The tiles may be rendered after this: when the frame begins all of them lie where they will be painted.
    const frame = requestAnimationFrame(() => {
      const next = root.current && arrows.length ? draw(root.current, arrows) : [];
      const around = root.current && next.length ? aroundBadges(root.current) : "";
      const before = drawn.peek();
      if (again >= 0 && !(around === before.around && sameDrawing(next, before.arrows)))
        drawn.value = { arrows: next, around };
    });
    return () => cancelAnimationFrame(frame);
  });
  const on = objectKey(hovered.value?.id ?? "");
  const fights = drawn.value.arrows.some(({ ends }) => ends.includes(on));
  return (
    <svg class={`arrows ${fights ? "fading" : ""}`} aria-hidden="true">
      <defs>
        {Array.from({ length: 10 }, (_, seat) => (
          <marker
            key={seat}
            id={`head-${seat}`}
            viewBox="0 0 10 10"
            refX="8"
            refY="5"
            markerWidth="4.200"
            markerHeight="4.200"
            orient="auto-start-reverse"
          >
            <path class={`fill-${seat}`} d="M0 0 10 5 0 10 2.500 5z" />
          </marker>
        ))}
        {Array.from({ length: 10 }, (_, seat) => (
          <marker
            key={seat}
            id={`stop-${seat}`}
            viewBox="0 0 10 10"
            refX="5"
            refY="5"
            markerWidth="4.200"
            markerHeight="5"
            orient="auto"
          >
            <path class={`fill-${seat}`} d="M3 0h4v10h-4z" />
          </marker>
        ))}
        <clipPath id="around-badges">
          <path d={drawn.value.around} clip-rule="evenodd" />
        </clipPath>
        <marker
          id="head-live"
          viewBox="0 0 10 10"
          refX="8"
          refY="5"
          markerWidth="4"
          markerHeight="4"
          orient="auto"
        >
          <path class="fill-live" d="M0 0 10 5 0 10 2.500 5z" />
        </marker>
      </defs>
      {drawn.value.arrows.map((arrow) => (
        <g key={arrow.key} class={classOf(arrow, fights && arrow.ends.includes(on))}>
          <g clip-path="url(#around-badges)">
            <path class="halo" d={arrow.path} />
            <path
              class="line"
              d={arrow.path}
              marker-end={`url(#${arrow.blocks ? "stop" : "head"}-${Math.max(0, arrow.seat)})`}
            />
          </g>
          {(arrow.count > 1 || arrow.power !== undefined) && (
            <text x={arrow.x} y={arrow.y}>
              {arrow.power === undefined ? `×${arrow.count}` : `${arrow.count} ⚔ ${arrow.power}`}
            </text>
          )}
        </g>
      ))}
      <Dragged root={root} />
    </svg>
  );
}

function classOf(arrow: Drawn, on: boolean): string {
  const more = [
    arrow.blocks && "blocks",
    arrow.power !== undefined && "ribbon",
    arrow.bundled && "bundled",
    on && "on",
  ];
  return ["arrow", arrow.kind, `s${arrow.seat}`, ...more].filter(Boolean).join(" ");
}

/** What is dragged, or aimed at a target, and which way: to the pointer, and where that is on a target, to the target. */
function Dragged({ root }: { root: RefObject<HTMLElement | null> }): JSX.Element | null {
  const drag = dragging.value;
  if (drag) return <Live from={new DOMRect(drag.x, drag.y, 0, 0)} x={drag.toX} y={drag.toY} />;
  const source = aiming.value;
  const at = pointer.value;
  if (!source || !at) return null;
  const from = root.current?.querySelector(`.stack [data-ids~="${source.slice(1)}"]`);
  if (!from) return null;
  // What is pointed at in the list of the question is pointed at where it lies.
  const listed = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>("[data-option]");
  const asked = draft.value?.question;
  const choice =
    listed && asked?.kind === "choose" ? asked.options[Number(listed.dataset.option)] : undefined;
  const to = choice && root.current?.querySelector(`.board ${selector(choiceKey(choice))}`);
  if (!to) return <Live from={from.getBoundingClientRect()} x={at.x} y={at.y} />;
  const box = seenBox(to);
  return <Live from={from.getBoundingClientRect()} x={box.x + box.width / 2} y={box.y + box.height / 2} />;
}

/** What stands for a player or an object. */
function selector(key: string): string {
  return key.startsWith("p") ? `[data-seat="${key.slice(1)}"]` : `[data-ids~="${key.slice(1)}"]`;
}

function Live({ from, x, y }: { from: DOMRect; x: number; y: number }): JSX.Element {
  const under = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-ids],[data-seat]");
  const can = keysAt(under ?? null).some((key) => marks.value.get(key)?.can);
  const to = under && can ? under.getBoundingClientRect() : new DOMRect(x, y, 0, 0);
  return (
    <path
      class={`dragged ${can ? "on" : ""}`}
      d={curve(from, to, [], BESIDE).path}
      marker-end="url(#head-live)"
    />
  );
}

function sameDrawing(a: Drawn[], b: Drawn[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at];
      return (
        one.key === other?.key &&
        one.path === other.path &&
        one.count === other.count &&
        one.power === other.power
      );
    })
  );
}

const ways = new Ways();

/** Arrows between the elements as they lie now; those between the same two elements are one, with a count. */
function draw(root: HTMLElement, arrows: Wanted[]): Drawn[] {
  const places = new Map<string, Element>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-ids]")) {
    for (const id of element.dataset.ids?.split(" ") ?? []) places.set(objectKey(id), element);
  }
  for (const element of root.querySelectorAll<HTMLElement>("[data-seat]"))
    places.set(`p${element.dataset.seat}`, element);
  const boxes = new Map<Element, DOMRect>();
  const names = new Map<Element, number>();
  const boxOf = (element: Element): DOMRect => {
    const box = boxes.get(element) ?? seenBox(element);
    boxes.set(element, box);
    if (!names.has(element)) names.set(element, names.size);
    return box;
  };
  const read = [...root.querySelectorAll(READ)].map((one) => one.getBoundingClientRect());
  ways.look(read);
  const found = new Map<string, Drawn>();
  const fights = new Map<string, Fight>();
  for (const arrow of arrows) {
    const from = places.get(arrow.from);
    const to = places.get(arrow.to);
    if (!from || !to || from === to) continue;
    const ends = [boxOf(from), boxOf(to)] as const;
    const key = `${arrow.kind}${arrow.seat} ${names.get(from)}-${names.get(to)}`;
    const before = found.get(key);
    const keys = [arrow.from, arrow.to];
    if (before) {
      before.count += 1;
      before.ends.push(arrow.from);
    } else {
      found.set(key, {
        key,
        seat: arrow.seat,
        kind: arrow.kind,
        blocks: arrow.blocks,
        count: 1,
        ends: keys,
        ...ways.curve(...ends, arrow.kind === "target" ? BESIDE : undefined),
      });
    }
    if (arrow.kind === "attack") {
      const fight = fights.get(arrow.to) ?? { to, seat: arrow.seat, from: new Map<Element, Wanted[]>() };
      fights.set(arrow.to, fight);
      fight.from.set(from, [...(fight.from.get(from) ?? []), arrow]);
    }
  }
  for (const [key, fight] of fights) {
    if (fight.from.size < MANY) continue;
    for (const one of found.values()) if (one.kind === "attack" && one.ends[1] === key) one.bundled = true;
    for (const ribbon of ribbons(key, fight, read, boxOf)) found.set(ribbon.key, ribbon);
  }
  return [...found.values()];
}

/** All that attack one defender, by the tiles that they lie in. */
interface Fight {
  to: Element;
  seat: number;
  from: Map<Element, Wanted[]>;
}

/** What must stay readable under arrows and their numbers: who it is, their figures, and what fights whom. */
const READ =
  ".who :is(.seat-dot, .keycap, strong, .tag, .life), .figures .figure, .tile-label, .tile.edge .tile-name";

/** What an arrow never covers, however narrow the table: whose nameplate it is, and whose turn. */
const BADGES = ".who :is(.seat-dot, .tag)";

/** The path of everything but the badges. */
function aroundBadges(root: HTMLElement): string {
  const holes = [...root.querySelectorAll(BADGES)].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return `M${Math.round(x) - 1} ${Math.round(y) - 1}h${Math.round(width) + 2}v${Math.round(height) + 2}h${-Math.round(width) - 2}z`;
  });
  return `M-9999-9999h19998v19998h-19998z${holes.join("")}`;
}

/** One ribbon from each mat: where two attack together, one that began between their mats would lie on somebody's nameplate. */
function ribbons(key: string, fight: Fight, read: DOMRect[], boxOf: (one: Element) => DOMRect): Drawn[] {
  const mats = new Map<Element | null, Element[]>();
  for (const tile of fight.from.keys()) {
    const mat = tile.closest(".mat");
    mats.set(mat, [...(mats.get(mat) ?? []), tile]);
  }
  return [...mats.values()].map((tiles, at) => {
    const attackers = tiles.flatMap((tile) => fight.from.get(tile) ?? []);
    const power = attackers.reduce((sum, one) => sum + Math.max(0, one.power ?? 0), 0);
    const line = ways.curve(around(tiles.map(boxOf)), boxOf(fight.to));
    return {
      key: `ribbon ${key} ${at}`,
      seat: fight.seat,
      kind: "attack" as const,
      count: attackers.length,
      power,
      ends: [...attackers.map((one) => one.from), key],
      ...line,
      ...beside(line, read),
    };
  });
}

/** A small box in the middle of several. */
function around(boxes: DOMRect[]): DOMRect {
  const mean = (of: (box: DOMRect) => number) => boxes.reduce((sum, box) => sum + of(box), 0) / boxes.length;
  return new DOMRect(
    mean((box) => box.x + box.width / 2) - 8,
    mean((box) => box.y + box.height / 2) - 8,
    16,
    16,
  );
}

/** Where an element lies, brought to the edge of its mat, and of the board, when it is scrolled out of sight there. */
function seenBox(element: Element): DOMRect {
  let box = element.getBoundingClientRect();
  for (const frame of [element.closest(".field-rows"), element.closest(".board")]) {
    if (frame) box = within(box, frame.getBoundingClientRect());
  }
  return box;
}

function within(box: DOMRect, frame: DOMRect): DOMRect {
  const top = Math.min(Math.max(box.top, frame.top), frame.bottom);
  const bottom = Math.max(Math.min(box.bottom, frame.bottom), frame.top);
  return new DOMRect(box.x, top, box.width, Math.max(0, bottom - top));
}

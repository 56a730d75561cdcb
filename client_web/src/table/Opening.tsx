// Before the first turn: the cards of our opening hand in full, and below them what is asked about them. The mats, on which nothing
// stands yet, give it their place.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Card } from "../card/Card.tsx";
import { faceOf, nameOf, spoken } from "../card/look.ts";
import { read } from "../card/printings.ts";
import type { P } from "../protocol/names.ts";
import { marks } from "../questions/current.ts";
import { objectKey } from "../questions/interaction.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import { type Room, useRoom } from "./fit.ts";
import { Team } from "./Header.tsx";
import { ordered } from "./hand.ts";
import { othersOf } from "./order.ts";
import { commandersOf } from "./zones.ts";

interface Props {
  view: P.View;
  /** What is asked. */
  children: JSX.Element;
}

/** Whether we look at our opening hand: we have one, and no turn has begun (103.4). */
export function isOpening(view: P.View): boolean {
  const hand = view.players[String(view.you)]?.hand ?? [];
  return view.you !== undefined && view.turn === 0 && hand.length > 0 && !view.result;
}

/** Heights of a card, in widths; its most pixels of width; pixels between cards. */
const HIGH = 1.32;
const WIDEST = 304;
const GAP = 10;
/** The least width at which all of a card can be read where it lies. */
const READABLE = 160;

/** The width at which so many cards fit into a room, in whatever rows make them largest. */
function widthOf(count: number, room: Room): number {
  const widths = Array.from({ length: count }, (_, at) => {
    const columns = at + 1;
    const rows = Math.ceil(count / columns);
    return Math.min(room.width / columns - GAP, (room.height / rows - GAP) / HIGH);
  });
  return Math.floor(Math.min(WIDEST, Math.max(...widths)));
}

export function Opening({ view, children }: Props): JSX.Element {
  const field = useRef<HTMLDivElement>(null);
  const room = useRoom(field).value;
  const hand = ordered(view.players[String(view.you)]?.hand ?? [], view, faces.value);
  const commanders = commandersOf(view.you ?? -1, view);
  const width = room ? widthOf(hand.length + commanders.length, room) : 0;
  const full = width >= READABLE;
  return (
    <section class="opening" aria-label={say("web.opening_hand")}>
      <header>
        <h2>
          {say("web.opening_hand")}
          {view.active === view.you && <small> · {say("web.you_begin")}</small>}
        </h2>
        <ul class="opening-others">
          {othersOf(view).map((seat) => (
            <Other key={seat} seat={seat} view={view} />
          ))}
        </ul>
      </header>
      <div class="opening-cards" ref={field} style={room ? { "--card": `${width}px` } : undefined}>
        {commanders.map((id) => (
          <Held key={id} id={id} view={view} full={full} />
        ))}
        {hand.map((id) => (
          <Held key={id} id={id} view={view} full={full} />
        ))}
      </div>
      {children}
    </section>
  );
}

/** How far another player is: how many cards, whether they still choose, and their commanders. */
function Other({ seat, view }: { seat: number; view: P.View }): JSX.Element {
  const player = view.players[String(seat)];
  const chooses = view.waiting_for?.includes(seat);
  return (
    <li>
      <span class={`seat-dot s${seat}`} aria-hidden="true">
        {seat + 1}
      </span>
      <strong>{player?.name}</strong> <Team seat={seat} view={view} />
      <span class="hint">
        {[
          view.active === seat ? say("web.begins") : "",
          say("web.in_hand", { count: player?.hand_count ?? 0 }),
          chooses ? say("web.thinks") : "",
          ...commandersOf(seat, view).map((id) => nameOf(id, view, faces.value)),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </li>
  );
}

interface HeldProps {
  id: string;
  view: P.View;
  /** Whether it is large enough that nothing more is shown of it when it is pointed at. */
  full: boolean;
}

function Held({ id, view, full }: HeldProps): JSX.Element | null {
  const thing = view.objects?.[id];
  const face = faceOf(thing, faces.value);
  if (!thing || !face) return null;
  const mark = marks.value.get(objectKey(id));
  const classes = ["opening-card", mark?.can ? "can" : "", mark?.picked ? "picked" : ""];
  const more = [
    face.cost ?? "",
    thing.zone === "hand" ? "" : say(`zone.${thing.zone}`),
    read(face).text ?? "",
  ];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(" ")}
      data-ids={id}
      data-name={face.name}
      data-full={full ? "" : undefined}
      aria-pressed={mark?.can ? Boolean(mark.picked) : undefined}
    >
      <span class="sr">{spoken(id, view, faces.value, more.filter(Boolean))}</span>
      <span aria-hidden="true">
        <Card face={face} />
      </span>
      {mark?.label && <kbd class="keycap">{mark.label}</kbd>}
    </button>
  );
}

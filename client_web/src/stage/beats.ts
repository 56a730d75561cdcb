// What of a log is shown as it happens: lines become beats, and lines of one kind in a row are one beat. Pure.
import type { P } from "../protocol/names.ts";

export type BeatKind =
  | "game"
  | "turn"
  | "cast"
  | "activate"
  | "trigger"
  | "countered"
  | "attack"
  | "block"
  | "damage"
  | "life"
  | "leave"
  | "enter"
  | "draw"
  | "out";

/** One thing that is seen to happen. */
export interface Beat {
  kind: BeatKind;
  /** The lines that are shown together, in order. */
  events: P.Event[];
  /** For each line, whom or what it is shown at: `p` and a seat, or `o` and the id of an object; empty for nowhere. */
  at: string[];
}

/** Which lines are seen, and as what. A line whose key is not here is only written in the log. */
const KINDS: Record<string, BeatKind> = {
  "event.restarts": "game",
  "event.subgame": "game",
  "event.subgame_over": "game",
  "event.game_drawn": "game",
  "event.turn": "turn",
  "event.cast": "cast",
  "event.cast_at": "cast",
  "event.activate": "activate",
  "event.trigger": "trigger",
  "event.countered": "countered",
  "event.attack": "attack",
  "event.block": "block",
  "event.damage": "damage",
  "event.prevented": "damage",
  "event.life_gain": "life",
  "event.life_loss": "life",
  "event.lifelink": "life",
  "event.pay_life": "life",
  "event.die": "leave",
  "event.destroy": "leave",
  "event.sacrifice": "leave",
  "event.move_exile": "leave",
  "event.create": "enter",
  "event.enter": "enter",
  "event.land": "enter",
  "event.move_battlefield": "enter",
  "event.draw": "draw",
  "event.draw_known": "draw",
  "event.draws": "draw",
  "event.loses": "out",
  "event.wins": "out",
};

/** How long a beat lasts at normal speed, in milliseconds. */
export const LASTS: Record<BeatKind, number> = {
  game: 1500,
  turn: 1000,
  cast: 1400,
  activate: 600,
  trigger: 700,
  countered: 600,
  attack: 1000,
  block: 900,
  damage: 1000,
  life: 600,
  leave: 700,
  enter: 550,
  draw: 350,
  out: 1500,
};

/** What is shown while the table still lies as it was before: what is hit or dies is still there. */
const ON_OLD: ReadonlySet<BeatKind> = new Set(["damage", "life", "leave", "countered"]);
/** What is shown one by one, however many there are in a row. */
const ALONE: ReadonlySet<BeatKind> = new Set(["game", "turn", "cast", "out"]);

/** The beats of some lines. `gone(name)` is the id of a permanent of that name that left the battlefield with them, each
 * only once; undefined when there is none. */
export function beatsOf(events: P.Event[], gone: (name: string) => string | undefined): Beat[] {
  const beats: Beat[] = [];
  for (const event of events) {
    const kind = kindOf(event);
    if (!kind) continue;
    const at = placeOf(kind, event, gone);
    const last = beats.at(-1);
    if (last && last.kind === kind && !ALONE.has(kind)) {
      last.events.push(event);
      last.at.push(at);
    } else {
      beats.push({ kind, events: [event], at: [at] });
    }
  }
  return beats;
}

/** How many of the beats come before the table changes. */
export function onOld(beats: Beat[]): number {
  const at = beats.findIndex((beat) => !ON_OLD.has(beat.kind));
  return at < 0 ? beats.length : at;
}

/** Life lost by damage has been seen as that damage (119.3a). */
function kindOf(event: P.Event): BeatKind | undefined {
  const kind = KINDS[event.key ?? ""];
  if (kind === "life" && event.key === "event.life_loss" && event.args?.part === 2) return undefined;
  if (kind === "leave" && event.args?.from !== "battlefield") return undefined;
  return kind;
}

function placeOf(kind: BeatKind, event: P.Event, gone: (name: string) => string | undefined): string {
  const { args = {} } = event;
  switch (kind) {
    case "damage":
      return typeof args.target_seat === "number" ? `p${args.target_seat}` : objectOf(args.target_id);
    case "leave":
      return objectOf(gone(String(args.card ?? "")));
    case "turn":
    case "life":
    case "draw":
    case "out":
      return typeof args.seat === "number" ? `p${args.seat}` : "";
    default:
      return objectOf(args.card_id);
  }
}

function objectOf(id: unknown): string {
  return typeof id === "string" && id ? `o${id}` : "";
}

// Stops and standing passes, as this page keeps and tells them. Stops are remembered by the browser for every game.
import { effect, signal } from "@preact/signals";
import type { P, Step } from "../protocol/names.ts";
import { STEPS } from "../protocol/names.ts";
import { isActive } from "../table/teams.ts";
import { automatic } from "./extras.ts";
import { room, view } from "./game.ts";
import { given } from "./given.ts";
import { request } from "./session.ts";
import { stopsText } from "./settings.ts";

/** In whose turns: one's own, all others', or those of one seat. */
export type Whose = "mine" | "others" | number;

export interface StopSet {
  mine: Step[];
  others: Step[];
  /** Where the turns of single seats have stops of their own. */
  seats: Record<number, Step[]>;
}

const START: StopSet = {
  mine: ["precombat_main", "postcombat_main"],
  others: ["declare_attackers", "declare_blockers", "end"],
  seats: {},
};

function read(): StopSet {
  try {
    const stored = JSON.parse(stopsText.value) as Partial<StopSet>;
    const clean = (steps: unknown): Step[] =>
      STEPS.filter((step) => Array.isArray(steps) && steps.includes(step));
    return { mine: clean(stored.mine), others: clean(stored.others), seats: {} };
  } catch {
    return START;
  }
}

export const stops = signal<StopSet>(read());
/** The standing pass that we asked for last; the server ends it by itself. */
export const standing = signal<"off" | "something" | "stack" | "end_of_turn" | "my_turn">("off");

/** The stops in those turns. */
export function stopsIn(whose: Whose): Step[] {
  const { mine, others, seats } = stops.value;
  if (whose === "mine") return mine;
  return whose === "others" ? others : (seats[whose] ?? others);
}

/** Which of the three sets the turns of a player belong to; those of our own team are ours where it takes them together. */
export function whoseTurn(active: number, table: P.View): Whose {
  if (table.you !== undefined && isActive(table.you, { ...table, active })) return "mine";
  return active in stops.value.seats ? active : "others";
}

/** Set or clear a stop. */
export function toggleStop(whose: Whose, step: Step): void {
  const now = stopsIn(whose);
  keep(
    whose,
    STEPS.filter((one) => now.includes(one) !== (one === step)),
  );
}

/** Give the turns of one seat stops of their own, to begin with those of all others; or take them away again. */
export function setApart(seat: number, apart: boolean): void {
  if (apart) {
    keep(seat, stops.value.others);
    return;
  }
  const { [seat]: _, ...seats } = stops.value.seats;
  change({ ...stops.value, seats });
}

function keep(whose: Whose, steps: Step[]): void {
  const now = stops.value;
  if (typeof whose === "number") change({ ...now, seats: { ...now.seats, [whose]: steps } });
  else change({ ...now, [whose]: steps });
}

/** Stops for single seats hold in this game only: the browser remembers the others. */
function change(next: StopSet): void {
  stops.value = next;
  stopsText.value = JSON.stringify({ mine: next.mine, others: next.others });
  tell();
}

function tell(): void {
  if (room.peek()?.you === undefined) return;
  const { mine, others, seats } = stops.peek();
  void request({ type: "stops", mine, others, ...(Object.keys(seats).length ? { seats } : {}) });
}

/** Pass until then. */
export async function passUntil(until: typeof standing.value): Promise<void> {
  if (await request({ type: "pass", until })) standing.value = until;
}

/** Take back our last answer: at once if nothing has come of it, else by everybody's consent. */
export async function takeBack(): Promise<void> {
  if (await request({ type: "takeback" })) given.value = given.value.slice(0, -1);
}

/** Tell a room our stops when we come to sit in it, and forget standing passes that have ended. */
export function beginPassing(): void {
  let told = "";
  effect(() => {
    const here = room.value;
    const key = here && here.you !== undefined ? `${here.id} ${here.you}` : "";
    if (key && key !== told) {
      stops.value = { ...stops.peek(), seats: {} };
      tell();
    }
    told = key;
  });
  effect(() => {
    const now = view.value;
    if (now?.you !== undefined && now.waiting_for?.includes(now.you)) standing.value = "off";
  });
  effect(() => {
    const told = automatic.value;
    if (told) standing.value = (told.until || "off") as typeof standing.value;
  });
}

// Stops and standing passes, as this page keeps and tells them. Stops are remembered by the browser for every game.
import { effect, signal } from "@preact/signals";
import type { Step } from "../protocol/names.ts";
import { STEPS } from "../protocol/names.ts";
import { automatic } from "./extras.ts";
import { room, view } from "./game.ts";
import { request } from "./session.ts";
import { stopsText } from "./settings.ts";

export interface StopSet {
  mine: Step[];
  others: Step[];
}

const START: StopSet = {
  mine: ["precombat_main", "postcombat_main"],
  others: ["declare_attackers", "declare_blockers", "end"],
};

function read(): StopSet {
  try {
    const stored = JSON.parse(stopsText.value) as Partial<StopSet>;
    const clean = (steps: unknown): Step[] =>
      STEPS.filter((step) => Array.isArray(steps) && steps.includes(step));
    return { mine: clean(stored.mine), others: clean(stored.others) };
  } catch {
    return START;
  }
}

export const stops = signal<StopSet>(read());
/** The standing pass that we asked for last; the server ends it by itself. */
export const standing = signal<"off" | "something" | "stack" | "end_of_turn" | "my_turn">("off");

/** Set or clear a stop. */
export function toggleStop(whose: keyof StopSet, step: Step): void {
  const now = stops.value[whose];
  const next = now.includes(step)
    ? now.filter((one) => one !== step)
    : STEPS.filter((s) => s === step || now.includes(s));
  stops.value = { ...stops.value, [whose]: next };
  stopsText.value = JSON.stringify(stops.value);
  tell();
}

function tell(): void {
  if (room.peek()?.you !== undefined) {
    void request({ type: "stops", mine: [...stops.peek().mine], others: [...stops.peek().others] });
  }
}

/** Pass until then. */
export async function passUntil(until: typeof standing.value): Promise<void> {
  if (await request({ type: "pass", until })) standing.value = until;
}

/** Take back our last answer: at once if nothing has come of it, else by everybody's consent. */
export async function takeBack(): Promise<void> {
  await request({ type: "takeback" });
}

/** Tell a room our stops when we come to sit in it, and forget standing passes that have ended. */
export function beginPassing(): void {
  let told = "";
  effect(() => {
    const here = room.value;
    const key = here && here.you !== undefined ? `${here.id} ${here.you}` : "";
    if (key && key !== told) tell();
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

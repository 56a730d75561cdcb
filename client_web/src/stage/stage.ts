// The queue of this page, and what it shows now. Only the table's state feeds it.
import { signal } from "@preact/signals";
import { clockAt, clock as gameClock } from "../state/extras.ts";
import { type Pace, pace } from "../state/settings.ts";
import type { Beat } from "./beats.ts";
import { type Clock, paceOf, Queue } from "./queue.ts";

/** A beat that is being shown, for so many milliseconds. `id` tells it from the one before. */
export interface Shown {
  id: number;
  beat: Beat;
  ms: number;
}

/** What is shown now; null when the table is as it is known. */
export const shown = signal<Shown | null>(null);

const timers: Clock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = window.setTimeout(call, ms);
    return () => window.clearTimeout(timer);
  },
};

let last = 0;

/** A queue that shows tables by the function given. */
export function stage<Table>(show: (table: Table) => void): Queue<Table> {
  return new Queue(show, play, timers);
}

function play(beat: Beat | null, ms: number): void {
  last += 1;
  shown.value = beat && { id: last, beat, ms };
  if (beat) document.dispatchEvent(new CustomEvent("apnap:beat", { detail: { ...beat, ms, id: last } }));
}

/** How fast to show: at once where nobody looks, or has no time to. */
export function paceNow(you: number | undefined): Pace {
  if (document.visibilityState === "hidden") return "off";
  return paceOf(pace.peek(), timeOf(you));
}

/** Milliseconds that a player has left, for this question or in all; undefined without a clock. */
function timeOf(seat: number | undefined): number | undefined {
  const told = gameClock.peek();
  if (!told || seat === undefined || told.paused_ms) return undefined;
  if (told.seat === seat && told.left_ms !== undefined) {
    return told.left_ms - Math.max(0, performance.now() - clockAt.peek());
  }
  return told.banks?.[String(seat)];
}

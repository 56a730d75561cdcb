// One moment of a finished game at a time, asked of the server. Where we are is in the address, so that a moment can be linked.
import { batch, signal } from "@preact/signals";
import type { P } from "../protocol/names.ts";
import { learn, log, tell } from "../state/game.ts";
import { hashOf, type Route } from "../state/route.ts";
import { request } from "../state/session.ts";

export type ReplayRoute = Extract<Route, { at: "replay" }>;

export const moment = signal<P.ReplayMoment | null>(null);
export const playing = signal(false);

/** Whether a moment is being asked for: a fast hand on the timeline asks only for the last one it came to. */
let asking = false;
let wanted: ReplayRoute | null = null;

/** Show a moment; `seat` null is the spectator's view. */
export async function show(to: ReplayRoute): Promise<void> {
  wanted = to;
  if (asking) return;
  asking = true;
  while (wanted) {
    const next: ReplayRoute = wanted;
    wanted = null;
    const { room, moment: step, seat } = next;
    const reply = await request<P.ReplayMoment>(
      seat === null ? { type: "replay", room, step } : { type: "replay", room, step, seat },
    );
    if (reply?.type === "replay") arrive(reply);
    else playing.value = false;
  }
  asking = false;
}

/** The log follows steps forward; after a jump it begins anew. */
function arrive(next: P.ReplayMoment): void {
  batch(() => {
    const before = moment.value;
    if (!before || before.room !== next.room || next.step !== before.step + 1) log.value = [];
    learn(next.faces);
    moment.value = next;
    tell(next.events, false, Number(next.view.turn ?? 0));
  });
  const here: ReplayRoute = { at: "replay", room: next.room, moment: next.step, seat: next.seat ?? null };
  history.replaceState(null, "", hashOf(here));
}

/** The step with which the turn after (1) or before (-1) a step begins. */
export function turnFrom(step: number, turns: number[], by: 1 | -1): number {
  if (by === 1) return turns.find((one) => one > step) ?? step;
  return turns.findLast((one) => one < step) ?? 0;
}

// What the button says that it does, and where we are asked next: read from the table as it lies. Pure.
import type { P } from "../protocol/names.ts";
import { STEPS, type Step } from "../protocol/names.ts";
import { isActive, turnTakers } from "../table/teams.ts";

/** Steps in which nobody gets priority, unless something happens there (502.3, 514.3). */
export const NO_STOPS: readonly Step[] = ["untap", "cleanup"];

/** Where the turn goes on from each of its steps when everybody passes (500.2), as keys of the catalogue. */
const ONWARD: Partial<Record<string, string>> = {
  upkeep: "web.do_to_draw",
  draw: "web.do_to_main",
  precombat_main: "web.do_to_combat",
  beginning_of_combat: "web.do_to_attackers",
  declare_attackers: "web.do_to_blockers",
  declare_blockers: "web.do_to_damage",
  first_strike_damage: "web.do_to_damage",
  combat_damage: "web.do_to_second_main",
  end_of_combat: "web.do_to_second_main",
  postcombat_main: "web.do_end_turn",
  end: "web.do_end_turn",
};

/** What passing does now, as a key of the catalogue: in others' turns it is a pass, whatever comes of it. */
export function passKey(view: P.View): string {
  if (view.stack?.length) return "web.do_resolve";
  const mine = view.you !== undefined && isActive(view.you, view);
  return (mine && ONWARD[view.step]) || "ui.pass";
}

/** Where one wants to be asked, in the turns of a seat. */
export type StopsOf = (seat: number) => readonly Step[];

export interface Stop {
  seat: number;
  step: Step;
}

/** The next step in which we have a stop, after the one that is on; null without any. Those who are out have no turns. */
export function nextStop(view: P.View, stopsOf: StopsOf): Stop | null {
  const order = turnTakers(view);
  const at = order.findIndex((seat) => isActive(seat, view));
  if (at < 0) return null;
  const now = STEPS.indexOf(view.step as Step);
  for (let turn = 0; turn <= order.length; turn += 1) {
    const seat = order[(at + turn) % order.length] ?? view.active;
    const stops = stopsOf(seat);
    const step = STEPS.find(
      (one, place) => (turn > 0 || place > now) && !NO_STOPS.includes(one) && stops.includes(one),
    );
    if (step) return { seat, step };
  }
  return null;
}

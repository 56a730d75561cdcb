// Who fights whom, for colours and arrows. Pure.
import type { P } from "../protocol/names.ts";

/** What the server foresees for a creature or planeswalker. */
export type Fate = "dies" | "hurt";

/** The seat that an attacking creature attacks, or whose planeswalker it attacks; -1: none. */
export function attackedSeat(id: string, view: P.View): number {
  const attack = view.combat?.attackers?.[id];
  if (!attack) return -1;
  if (attack.defender.kind === "player") return attack.defender.seat;
  if (attack.defending_player !== undefined) return attack.defending_player;
  return attack.defender.kind === "object" ? (view.objects?.[attack.defender.id]?.controller ?? -1) : -1;
}

/** How many creatures attack a player or planeswalkers that the player defends. */
export function attackersOf(seat: number, view: P.View): number {
  const attackers = Object.keys(view.combat?.attackers ?? {});
  return attackers.filter((id) => attackedSeat(id, view) === seat).length;
}

/** The worst fate in a stack of equal tiles. */
export function fateOf(ids: string[], fates: ReadonlyMap<string, Fate>): Fate | undefined {
  const all = ids.map((id) => fates.get(id));
  return all.find((fate) => fate === "dies") ?? all.find((fate) => fate === "hurt");
}

// Who plays with whom (808), and how far each seat reaches (801). Pure.
import type { P } from "../protocol/names.ts";

/** The team of a seat; null where each plays for itself. */
export function teamOf(seat: number, view: P.View): number | null {
  return view.teams?.[seat] ?? null;
}

/** Whether it is that seat's turn: also that of a team mate where a team takes its turns together (805.4a). */
export function isActive(seat: number, view: P.View): boolean {
  const team = view.shared_turns ? teamOf(seat, view) : null;
  return seat === view.active || (team !== null && team === teamOf(view.active, view));
}

/** Whose turn it is, for a headline: several where a team takes it together. */
export function activeSeats(view: P.View): number[] {
  const seats = (view.order ?? []).filter(
    (seat) => isActive(seat, view) && !view.players[String(seat)]?.lost,
  );
  return seats.length ? seats : [view.active];
}

/** The seats in whose names turns are taken: of a team that takes them together only the first (805.4). */
export function turnTakers(view: P.View): number[] {
  const order = (view.order ?? []).filter((seat) => !view.players[String(seat)]?.lost);
  if (!view.shared_turns) return order;
  return order.filter(
    (seat, at) => order.findIndex((one) => teamOf(one, view) === teamOf(seat, view)) === at,
  );
}

export function isEmperor(seat: number, view: P.View): boolean {
  return view.emperors?.includes(seat) ?? false;
}

/** Whether a seat lies outside of our range of influence: so many of those still in the game to each side (801.2). */
export function isBeyond(seat: number, view: P.View): boolean {
  const range = view.you === undefined ? 0 : (view.ranges?.[view.you] ?? 0);
  if (!range || view.you === undefined) return false;
  const order = (view.order ?? []).filter((one) => one === view.you || !view.players[String(one)]?.lost);
  const from = order.indexOf(view.you);
  const to = order.indexOf(seat);
  if (to < 0) return false;
  const far = Math.abs(from - to);
  return Math.min(far, order.length - far) > range;
}

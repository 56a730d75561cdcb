// Who plays with whom (808), and how far each seat reaches (801). Pure.
import type { P } from "../protocol/names.ts";

/** The team of a seat; null where each plays for itself. */
export function teamOf(seat: number, view: P.View): number | null {
  return view.teams?.[seat] ?? null;
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

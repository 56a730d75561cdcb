// Who sits where, seen from our seat. Pure.
import type { P } from "../protocol/names.ts";

/** Opponents in turn order after us, or everybody for a spectator. */
export function othersOf(view: P.View): number[] {
  const order = view.order?.length
    ? view.order
    : Object.keys(view.players)
        .map(Number)
        .sort((a, b) => a - b);
  const at = view.you === undefined ? -1 : order.indexOf(view.you);
  return at < 0 ? [...order] : [...order.slice(at + 1), ...order.slice(0, at)];
}

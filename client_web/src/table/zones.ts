// Which pile is open for browsing.
import { signal } from "@preact/signals";
import type { P } from "../protocol/names.ts";

export type Pile = "graveyard" | "exile" | "command" | "hand";
export const pile = signal<{ zone: Pile; seat: number } | null>(null);

/** Open a pile, or close it when it is open. */
export function openZone(zone: Pile, seat: number): void {
  const now = pile.value;
  pile.value = now?.zone === zone && now.seat === seat ? null : { zone, seat };
}

/** The ids in a pile, the newest first. */
export function cardsIn(zone: Pile, seat: number, view: P.View): string[] {
  if (zone === "graveyard") return [...(view.players[String(seat)]?.graveyard ?? [])].reverse();
  if (zone === "hand") return [...(view.players[String(seat)]?.hand ?? [])];
  const ids = (zone === "exile" ? view.exile : view.command) ?? [];
  return ids.filter((id) => view.objects?.[id]?.owner === seat).reverse();
}

/** What a player is or has by what stands in the command zone: the monarch, the initiative. */
export function titlesOf(seat: number, view: P.View): string[] {
  const things = (view.command ?? []).map((id) => view.objects?.[id]);
  return things.flatMap((thing) => (thing?.controller === seat && thing.title ? [thing.title] : []));
}

/** What a player has in the command zone and may cast from there, and the dungeon that the player is in. */
export function commandersOf(seat: number, view: P.View): string[] {
  return (view.command ?? []).filter((id) => {
    const thing = view.objects?.[id];
    return thing?.owner === seat && thing.kind !== "emblem" && thing.face !== undefined;
  });
}

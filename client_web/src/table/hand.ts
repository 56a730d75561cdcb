// In which order the cards of our hand lie: as they were drawn, or sorted. Pure but for how one likes it.

import type { Faces } from "../card/look.ts";
import { faceOf, is } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { sorted } from "../state/settings.ts";

/** The ids of a hand in the order in which they lie: as drawn, or what can be cast by its cost, and lands after it. */
export function ordered(ids: readonly string[], view: P.View, faces: Faces, sorts = sorted.value): string[] {
  if (!sorts) return [...ids];
  const rank = new Map(ids.map((id) => [id, rankOf(view.objects?.[id], faces)]));
  const at = (id: string) => rank.get(id) ?? LAST;
  return [...ids].sort((a, b) => at(a).value - at(b).value || at(a).name.localeCompare(at(b).name));
}

interface Rank {
  value: number;
  name: string;
}

const LAST: Rank = { value: Number.MAX_SAFE_INTEGER, name: "" };
/** Lands lie after all that has a cost. */
const LAND = 1_000_000;

function rankOf(thing: P.ObjectView | undefined, faces: Faces): Rank {
  const face = faceOf(thing, faces);
  if (!face) return LAST;
  return { value: is(thing, "land") ? LAND : (face.mana_value ?? 0), name: face.name };
}

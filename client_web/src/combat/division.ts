// What the rules ask of a division of combat damage (510.1c to 510.1e), an amount for each option of each creature.
import type { Choice, P } from "../protocol/names.ts";

/** What is wrong with one creature's division, as a key of the catalogue with its places. */
export interface Wrong {
  key: string;
  args: Record<string, number>;
}

/**
 * Null, or what is wrong with the part of creature number `at`: all its power is assigned (510.1c), the next in order gets
 * damage only after lethal damage to those before, as all creatures together assign it (510.1e); of a team one player is dealt damage
 * by each creature (810.7f).
 */
export function wrongDivision(assigners: P.Assigner[], amounts: number[][], at: number): Wrong | null {
  const assigner = assigners[at];
  const row = amounts[at];
  if (!assigner || !row) return null;
  const sum = row.reduce((total, part) => total + part, 0);
  if (sum !== assigner.power) return { key: "ui.sum", args: { sum, power: assigner.power } };
  const heads = assigner.heads ?? 0;
  if (heads && row.slice(-heads).filter((part) => part > 0).length > 1)
    return { key: "ui.one_head", args: {} };
  const last = row.findLastIndex((part) => part > 0);
  const waits = assigner.unordered
    ? assigner.trample === true && last >= row.length - Math.max(heads, 1)
    : true;
  const short = shortOfLethal(assigners, amounts);
  const place = waits ? assigner.options.slice(0, last).findIndex((option) => short.has(keyOf(option))) : -1;
  return place < 0
    ? null
    : { key: "web.lethal_first", args: { lethal: assigner.lethal[place] ?? 0, place: place + 1 } };
}

const keyOf = (option: Choice): string => JSON.stringify(option);

/** Whom the whole division leaves short of lethal damage. What one creature assigns is enough where that is lethal by itself, as with
 * deathtouch (702.2b). */
function shortOfLethal(assigners: P.Assigner[], amounts: number[][]): Set<string> {
  const lethal = new Map<string, number>();
  const given = new Map<string, number>();
  const enough = new Set<string>();
  assigners.forEach((assigner, at) => {
    assigner.options.forEach((option, i) => {
      const key = keyOf(option);
      const amount = amounts[at]?.[i] ?? 0;
      const least = assigner.lethal[i] ?? 0;
      lethal.set(key, Math.max(lethal.get(key) ?? 0, least));
      given.set(key, (given.get(key) ?? 0) + amount);
      if (amount >= least) enough.add(key);
    });
  });
  const short = [...lethal].filter(([key, least]) => !enough.has(key) && (given.get(key) ?? 0) < least);
  return new Set(short.map(([key]) => key));
}

// What declarations cost, as their questions say (508.1g, 509.1d).
import type { Choice, P } from "../protocol/names.ts";

/** What attacking a defender costs those picked, else all that may: each cost there is once, the smaller first. */
export function attackCosts(
  attackers: P.Attacker[],
  wanted: (defender: Choice) => boolean,
  picked: ReadonlySet<number>,
): string[] {
  const found = new Set<string>();
  attackers.forEach((attacker, at) => {
    const cost = attacker.costs?.[attacker.defenders.findIndex(wanted)];
    if (cost && (!picked.size || picked.has(at))) found.add(cost);
  });
  return [...found].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

/** The creatures for whose blocking something is to be paid, and what. */
export function blockCosts(blockers: P.Blocker[]): { id: string; cost: string }[] {
  return blockers.flatMap(({ object, cost }) => (cost ? [{ id: object, cost }] : []));
}

// Whether the mana in a pool pays a cost. Pure.

/** Mana in a pool, by letter; `C` is colourless. */
export type Pool = Readonly<Record<string, number>>;

const PLAIN = /^(\d+|[WUBRGC])$/;

/** Whether a pool pays a cost of plain symbols ("{1}{W}"); one that can be paid in several ways is left to whoever pays it. */
export function covers(pool: Pool, cost: string): boolean {
  const symbols = [...cost.matchAll(/\{([^}]+)\}/g)].map(([, symbol = ""]) => symbol);
  if (!symbols.length || !symbols.every((symbol) => PLAIN.test(symbol))) return false;
  const left = { ...pool };
  let generic = 0;
  for (const symbol of symbols) {
    if (/\d/.test(symbol)) generic += Number(symbol);
    else left[symbol] = (left[symbol] ?? 0) - 1;
  }
  const counts = Object.values(left);
  return counts.every((count) => count >= 0) && counts.reduce((sum, count) => sum + count, 0) >= generic;
}

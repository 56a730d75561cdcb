// RFC 7386 merge patches, as protocol/patch.py: trees are values, and a result shares what did not change, so that a
// component whose part of the view is the same object need not look again.
export type Tree = { [key: string]: unknown };

export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The tree after the patch; `tree` stays as it was. */
export function applyPatch(tree: Tree, patch: Tree): Tree {
  const out: Tree = { ...tree };
  for (const key in patch) {
    const value = patch[key];
    if (value === null) {
      delete out[key];
    } else if (isTree(value)) {
      const before = out[key];
      out[key] = applyPatch(isTree(before) ? before : {}, value);
    } else {
      out[key] = value;
    }
  }
  return out;
}

/** What a patch stands for that was sent to who asked for brief ones, as protocol/brief.py. */
export function full(patch: Tree): Tree {
  const who = patch["priority"];
  if (who === undefined || "waiting_for" in patch) return patch;
  return { ...patch, waiting_for: who === null ? null : [who] };
}

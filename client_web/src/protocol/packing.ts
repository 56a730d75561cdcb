// Whole views as they cross the wire, as protocol/packing.py: what is said elsewhere, or of another object, is not written again.
import type { P } from "./names.ts";
import { isTree, type Tree } from "./patch.ts";

type Faces = Record<string, P.Face>;

const TABLE_ZONES = ["battlefield", "stack", "exile", "command"];
const OWN_ZONES = ["hand", "graveyard"];

/** The plain tree of a view that may be packed; `faces` are those known, and those that came with it. */
export function unpack(view: Tree, faces: Faces): Tree {
  const { shared, objects, ...rest } = view;
  if (!isTree(objects)) return view;
  const parts = Array.isArray(shared) ? (shared as Tree[]) : [];
  const places = placesOf(view);
  const whole: Tree = {};
  for (const [key, thing] of Object.entries(objects))
    whole[key] = wholeOf(thing, parts, places.get(key), faces);
  return { ...rest, objects: whole };
}

function wholeOf(thing: unknown, shared: Tree[], place: Tree | undefined, faces: Faces): Tree {
  const written = isTree(thing) ? thing : typeof thing === "string" ? { face: thing } : { as: thing };
  const { as: part, ...own } = written as Tree;
  const made: Tree = { ...place, ...(typeof part === "number" ? shared[part] : {}), ...own };
  const face = typeof made.face === "string" ? faces[made.face] : undefined;
  if (face && !("types" in made)) Object.assign(made, printed(face));
  made.controller ??= made.owner;
  return made;
}

/** Power, toughness, loyalty, colours and types of an object that is as its face says. */
function printed(face: P.Face): Tree {
  const [left = "", right = ""] = (face.types ?? "").toLowerCase().split(" — ");
  const words = (text: string) => text.split(" ").filter((word) => word);
  const out: Tree = { types: [...words(left), ...words(right).sort()] };
  if (face.colors?.length) out.colors = face.colors;
  for (const name of ["power", "toughness", "loyalty"] as const) {
    const number = face[name] ?? "";
    if (/^[0-9]+$/.test(number)) out[name] = Number(number);
  }
  return out;
}

/** What the lists of a view say of the objects whose ids stand in them. */
function placesOf(view: Tree): Map<string, Tree> {
  const places = new Map<string, Tree>();
  for (const zone of TABLE_ZONES) for (const key of ids(view[zone])) places.set(key, { zone });
  const players = isTree(view.players) ? view.players : {};
  for (const [seat, player] of Object.entries(players))
    if (isTree(player))
      for (const zone of OWN_ZONES)
        for (const key of ids(player[zone])) places.set(key, { zone, owner: Number(seat) });
  return places;
}

function ids(listed: unknown): string[] {
  return Array.isArray(listed) ? (listed as string[]) : [];
}

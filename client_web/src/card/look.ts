// How an object looks and is called, from its view and its face. Pure.
import type { P } from "../protocol/names.ts";
import { say } from "../words.ts";
import { called, inWords } from "./printings.ts";

export type Faces = Record<string, P.Face>;

/** Order of the colours, as everywhere in the game. */
export const COLORS = ["W", "U", "B", "R", "G"] as const;

export function faceOf(thing: P.ObjectView | undefined, faces: Faces): P.Face | undefined {
  return thing?.face === undefined ? undefined : faces[thing.face];
}

/** What to call an object: its face's name, its source's, or its own text. */
export function nameOf(id: string, view: P.View, faces: Faces): string {
  const thing = view.objects?.[id];
  if (!thing) return say("web.gone");
  const face = faceOf(thing, faces);
  if (face) return called(face.name);
  if (thing.source !== undefined && thing.source !== id && view.objects?.[thing.source]) {
    return nameOf(thing.source, view, faces);
  }
  if (thing.face_down) return say("what.face_down");
  return thing.text || say("web.ability");
}

/** The English name by which the table knows the card of an object, or of the source of an ability. */
export function englishName(id: string, view: P.View, faces: Faces): string {
  const thing = view.objects?.[id];
  return (faceOf(thing, faces) ?? faceOf(view.objects?.[thing?.source ?? ""], faces))?.name ?? "";
}

/** The words of an ability on the stack, in the language of its source's card. */
export function textOf(thing: P.ObjectView, view: P.View, faces: Faces): string {
  return thing.text ? inWords(thing.text, faceOf(view.objects?.[thing.source ?? ""], faces)) : "";
}

export function playerName(seat: number, view: P.View): string {
  return view.players[String(seat)]?.name ?? say("ui.seat", { seat: seat + 1 });
}

export function is(thing: P.ObjectView | undefined, type: string): boolean {
  return thing?.types?.includes(type) ?? false;
}

export function size(thing: P.ObjectView): string {
  if (thing.power !== undefined && thing.toughness !== undefined && is(thing, "creature")) {
    return `${thing.power}/${thing.toughness}`;
  }
  return "";
}

/** The colours of mana that the basic land types make (305.6). */
const BASIC: Record<string, string> = { plains: "W", island: "U", swamp: "B", mountain: "R", forest: "G" };

/** The colours of mana that a land is printed to make: by its basic types, and by what its text adds. */
export function landColors(face: P.Face | undefined): string[] {
  const types = face?.types?.toLowerCase() ?? "";
  const adds = (face?.text ?? "").match(/\badd [^.]*/gi)?.join(" ") ?? "";
  if (/any colou?r/i.test(adds)) return [...COLORS];
  const basic = Object.keys(BASIC).filter((type) => types.includes(type));
  return COLORS.filter((color) => adds.includes(`{${color}}`) || basic.some((type) => BASIC[type] === color));
}

/** The class of a frame: one colour, several, none, or a land. A land has the colours of what it makes. */
export function frame(thing: P.ObjectView | undefined, face: P.Face | undefined): string {
  const land = is(thing, "land") || face?.types?.toLowerCase().includes("land");
  const own = thing?.colors ?? face?.colors ?? [];
  const colors = own.length || !land ? own : landColors(face);
  if (colors.length > 1) return "multi";
  if (colors.length === 1) return colors[0] ?? "none";
  return land ? "land" : "none";
}

/** The main card type, which picks the emblem. */
export function kind(types: string): string {
  const words = types.toLowerCase();
  for (const type of ["creature", "planeswalker", "land", "artifact", "enchantment", "instant", "sorcery"]) {
    if (words.includes(type)) return type;
  }
  return "ability";
}

/** Counters but loyalty, as "+1/+1 ×2". */
export function counters(thing: P.ObjectView): string[] {
  return Object.entries(thing.counters ?? {})
    .filter(([name, count]) => name !== "loyalty" && count > 0)
    .map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
}

/** Everything a screen reader should say of an object, in one sentence. */
export function spoken(id: string, view: P.View, faces: Faces, more: string[] = []): string {
  const thing = view.objects?.[id];
  if (!thing) return say("web.gone");
  const words = [nameOf(id, view, faces)];
  const face = faceOf(thing, faces);
  if (face?.types) words.push(face.types);
  const pt = size(thing);
  if (pt) words.push(pt);
  if (thing.loyalty !== undefined) words.push(say("web.loyalty", { loyalty: thing.loyalty }));
  if (thing.tapped) words.push(say("ui.tapped"));
  if (thing.sick && is(thing, "creature")) words.push(say("ui.sick"));
  if (thing.damage) words.push(say("ui.damage", { damage: thing.damage }));
  words.push(...counters(thing), ...(thing.keywords ?? []), ...more);
  return words.join(", ");
}

/** A number from a text, the same every time: what draws a card's picture. */
export function seedOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

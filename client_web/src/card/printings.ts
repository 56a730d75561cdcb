// What stands on cards in the language of the page, as far as the server's card lists have it. It is there to be read: what is
// played, what the page says to the server and what it tells cards by is English.
import { signal } from "@preact/signals";
import type { P } from "../protocol/names.ts";
import { lang } from "../state/settings.ts";

type Printings = Record<string, P.Printing>;

/** By language and English name. */
const known = signal<Record<string, Printings>>({});
/** Whether cards are shown in English all the same. */
export const inEnglish = signal(false);

/** Whether anything is known in the language of the page, so that there is something to choose. */
export const translated = (): boolean => known.value[lang.value] !== undefined;

export function learn(language: string, more: Printings): void {
  if (Object.keys(more).length)
    known.value = { ...known.peek(), [language]: { ...known.peek()[language], ...more } };
}

function printing(name: string): P.Printing | undefined {
  return inEnglish.value ? undefined : known.value[lang.value]?.[name];
}

/** A card's name as it is shown. */
export function called(name: string): string {
  return printing(name)?.name ?? name;
}

/** A face as it is read: with name, type line and rules text in the language of the page, each that is known. */
export function read(face: P.Face): P.Face {
  const words = printing(face.name);
  if (!words) return face;
  return { ...face, name: words.name, types: words.types || face.types, text: words.text || face.text };
}

/** What stands in a text that is a card's name, or a part of what its face says: an ability's own words. */
export function inWords(text: string, face: P.Face | undefined): string {
  const words = face && printing(face.name);
  if (!words) return called(text);
  if (text === face.name) return words.name;
  const [english, ours] = [face.text, words.text].map((one) => (one ?? "").split("\n").filter(Boolean));
  const at = english?.findIndex((line) => plain(line) === plain(text)) ?? -1;
  return (english?.length === ours?.length && ours?.[at]) || text;
}

/** A paragraph without its reminder. */
function plain(line: string): string {
  return line.replace(/ ?\([^)]*\)/g, "").trim();
}

/** Places of sentences in which cards are named. */
export const CARDS = new Set(["card", "source", "target", "targets", "into"]);

/** The names of cards in a text, parted by commas, as they are shown; a card may have a comma in its name. */
export function calledAll(text: string): string {
  return printing(text)?.name ?? text.split(", ").map(called).join(", ");
}

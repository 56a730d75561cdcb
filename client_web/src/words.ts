// The catalogue: the same sentences as every other client's, from protocol/words. English is in the page, other languages
// are fetched when wanted.
import { computed, effect, signal } from "@preact/signals";
import english from "../../protocol/words/en.json";
import { CARDS, calledAll } from "./card/printings.ts";
import type { Arg, P } from "./protocol/names.ts";
import { lang } from "./state/settings.ts";

type Catalogue = Record<string, string>;

const other = signal<Catalogue>({});
const catalogue = computed<Catalogue>(() => (lang.value === "en" ? english : other.value));

effect(() => {
  if (lang.value === "fr") {
    void import("../../protocol/words/fr.json").then((module) => {
      other.value = module.default;
    });
  }
});

/** What begins the keys that stand as arguments in other sentences, as in `protocol.words`. */
const NESTED = /^(lost|step|what)\./;

/** A sentence with its places filled; a key that is not there stands for itself, as it does on the server. */
export function say(key: string, args: Record<string, Arg | undefined> = {}): string {
  const template = catalogue.value[key] ?? (english as Catalogue)[key];
  if (template === undefined) return key;
  return template.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = args[name];
    return value === undefined ? place : CARDS.has(name) ? cards(name, args) : filling(value);
  });
}

/** Names of cards, in the language of the page; a target that is a player keeps its name. */
function cards(name: string, args: Record<string, Arg | undefined>): string {
  const value = filling(args[name]);
  return name === "target" && args.target_seat !== undefined ? value : calledAll(value);
}

function filling(value: Arg | undefined): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" && NESTED.test(value) ? say(value) : String(value);
}

/** A part of a sentence: what stands between its places, or what fills one of them. */
export interface Piece {
  text: string;
  /** The name of the place. */
  place?: string;
}

/** A sentence in its parts, so that some of what fills it can be shown otherwise. */
export function pieces(key: string, args: Record<string, Arg | undefined> = {}): Piece[] {
  const filled = Object.keys(args).filter((name) => typeof args[name] === "string");
  const kept = Object.fromEntries(filled.map((name) => [name, `{${name}}`]));
  return say(key, { ...args, ...kept })
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => {
      const place = part.startsWith("{") ? part.slice(1, -1) : "";
      return place in kept ? { text: filling(args[place]), place } : { text: part };
    });
}

/** Whether the catalogue has the key. */
export function known(key: string): boolean {
  return key in english;
}

/** A sentence as the server refers to it. */
export function sayText(text: P.Text): string {
  return say(text.key, text.args);
}

// The palette of acts: what can be chosen, what each wants to know, and the line of rules English that it makes. The table is the
// same for every client, `protocol/palette.json`; its words are the catalogue's.
import table from "../../../protocol/palette.json";

/** Ways of doing an act, by name, each with its line. */
export type Ways = Record<string, string>;
export const PALETTE: Record<string, Ways> = table;

/** What is filled in, by field. `who` is a seat. */
export type Values = Record<string, string>;

/** What a place of a line is filled from: several places can be of one field. */
const FIELD_OF: Record<string, string> = { whose: "who", their: "who", owner: "" };
/** Fields that are filled by pointing at the table. */
export const POINTED: ReadonlySet<string> = new Set(["object", "to", "target"]);
export const KEYWORDS = [
  "flying",
  "first strike",
  "double strike",
  "deathtouch",
  "haste",
  "hexproof",
  "indestructible",
  "lifelink",
  "menace",
  "reach",
  "trample",
  "vigilance",
];
const SIZES = ["+1/+1", "+2/+2", "-1/-1", "-2/-2"];
const COUNTERS = ["+1/+1", "-1/-1", "charge", "loyalty", "lore", "stun"];
const TOKENS = [
  "1/1 white Soldier creature",
  "2/2 black Zombie creature",
  "3/3 green Beast creature",
  "Treasure",
];
/** What a field proposes. */
export const PROPOSED: Record<string, string[]> = {
  keyword: KEYWORDS,
  size: SIZES,
  counter: COUNTERS,
  mana: ["{W}", "{U}", "{B}", "{R}", "{G}", "{C}"],
  sides: ["4", "6", "8", "10", "12", "20"],
};
export const proposed = (act: string, field: string): string[] =>
  field === "words"
    ? act === "token"
      ? TOKENS
      : ["a basic land", "a creature", "an artifact"]
    : (PROPOSED[field] ?? []);

/** The fields that a line wants, in their order. */
export function fieldsOf(line: string): string[] {
  const places = [...line.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
  return [...new Set(places.map((place) => FIELD_OF[place] ?? place))].filter(Boolean);
}

/** The line with its places filled; "" while something is wanting. `me` is one's own seat. */
export function compose(line: string, values: Values, me: number, named: (seat: number) => string): string {
  if (fieldsOf(line).some((field) => !values[field]?.trim())) return "";
  const mine = values.who === String(me);
  const name = named(Number(values.who));
  const objects = (values.object ?? "").trim().split(/\s+/);
  const many = objects.length > 1;
  const number = (values.number ?? "").trim();
  const filled: Values = {
    ...values,
    who: mine ? "I" : name,
    whose: mine ? "my" : `${name}'s`,
    their: mine ? "my" : "their",
    owner: many ? "their owner's" : "its owner's",
    number: number === "1" && line.includes("|") ? "one" : number,
    object: [objects.slice(0, -1).join(", "), objects.at(-1) ?? ""].filter(Boolean).join(" and "),
  };
  return line
    .replace(/(\w+)\|(\w+)/g, number === "1" ? "$1" : "$2")
    .replaceAll("~~", many ? "" : "s")
    .replaceAll("~", mine ? "" : "s")
    .replace(/\{(\w+)\}/g, (_, place: string) => filled[place]?.trim() ?? "");
}

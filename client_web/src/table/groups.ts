// Which permanents stand where on a mat, and which of them are the same to the eye and so are folded into one stack. Pure.
import { is } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { type Mark, objectKey } from "../questions/interaction.ts";

/** Equal permanents shown as one tile; `ids` in timestamp order. */
export interface Group {
  ids: string[];
  thing: P.ObjectView;
  mark: Mark | undefined;
  /** What is attached to it, in order. */
  worn: string[];
  /** The seat it attacks, or that of the attacker it blocks; for the colour of its edge. */
  fights: string;
}

export interface Rows {
  front: Group[];
  back: Group[];
  lands: Group[];
}

/** The parts of an object that its tile shows. */
const SEEN = [
  "face",
  "face_down",
  "tapped",
  "sick",
  "damage",
  "power",
  "toughness",
  "loyalty",
  "counters",
  "types",
  "keywords",
  "notes",
  "kind",
] as const satisfies readonly (keyof P.ObjectView)[];

const looks = new WeakMap<P.ObjectView, string>();

/** All of an object that can be seen on its tile, as a text. The same view object is written once. */
function look(thing: P.ObjectView): string {
  let text = looks.get(thing);
  if (text === undefined) {
    text = JSON.stringify(SEEN.map((part) => thing[part]));
    looks.set(thing, text);
  }
  return text;
}

/** What keeps equal ones apart: how they are marked, unless they stay one stack. */
function markText(mark: Mark | undefined): string {
  if (mark?.stays) return "stays";
  return mark ? `${mark.can}${mark.picked}${mark.aim}${mark.to}${mark.label}` : "";
}

/** How an object fights: what it attacks or which attackers it blocks. */
export function fights(id: string, combat: P.CombatView | undefined): string {
  const attack = combat?.attackers?.[id];
  if (attack) {
    const { defender } = attack;
    const target =
      defender.kind === "object" ? `o${defender.id}` : defender.kind === "player" ? `p${defender.seat}` : "";
    return `a${target}${attack.blocked ? "b" : ""}${(attack.blockers ?? []).join()}`;
  }
  const blocked = Object.entries(combat?.attackers ?? {}).filter(([, other]) => other.blockers?.includes(id));
  return blocked.length ? `b${blocked.map(([key]) => key).join()}` : "";
}

/** The mark of a stack of which each has its own: how many are marked how, and the seat of the first when none is free. */
function merged(marks: readonly Mark[]): Mark | undefined {
  const [first] = marks;
  if (marks.length < 2 || !first?.stays) return first;
  const counts = new Map<string, number>();
  for (const mark of marks) {
    const label = mark.picked ? PICKED : mark.label;
    if (label) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const alike = counts.size === 1 && counts.get([...counts.keys()][0] ?? "") === marks.length;
  const label = [...counts].map(([one, count]) => (alike && one !== PICKED ? one : `${one}×${count}`));
  return {
    ...first,
    picked: marks.some((mark) => mark.picked),
    to: marks.every((mark) => mark.to !== undefined) ? first.to : undefined,
    label: label.join(" ") || undefined,
  };
}

/** The label of those that are picked and have none. */
const PICKED = "✓";

/** A player's battlefield in rows, folded. */
export function rowsOf(seat: number, view: P.View, marks: ReadonlyMap<string, Mark>): Rows {
  const objects = view.objects ?? {};
  const worn = new Map<string, string[]>();
  for (const id of view.battlefield ?? []) {
    const host = objects[id]?.attached_to;
    if (host !== undefined && objects[host]?.zone === "battlefield")
      worn.set(host, [...(worn.get(host) ?? []), id]);
  }
  const rows: Rows = { front: [], back: [], lands: [] };
  const found = new Map<string, Group>();
  const all = new Map<Group, Mark[]>();
  for (const id of view.battlefield ?? []) {
    const thing = objects[id];
    if (!thing || thing.controller !== seat) continue;
    if (thing.attached_to !== undefined && worn.get(thing.attached_to)?.includes(id)) continue;
    const mark = marks.get(objectKey(id));
    const holds = worn.get(id) ?? [];
    const fight = fights(id, view.combat);
    const key = holds.length ? id : `${look(thing)}|${markText(mark)}|${fight}`;
    const group = found.get(key);
    if (group) {
      group.ids.push(id);
      if (mark) all.get(group)?.push(mark);
    } else {
      const made = { ids: [id], thing, mark, worn: holds, fights: fight };
      found.set(key, made);
      if (mark) all.set(made, [mark]);
      rowFor(thing, rows).push(made);
    }
  }
  for (const [group, marked] of all) group.mark = merged(marked);
  return rows;
}

/** So many lands lie one by one at most. */
const SPREAD = 24;

/** The rows with lands one by one, as they lie where there is room; null where none of them is in a stack, or too many are. */
export function spread(rows: Rows, view: P.View, marks: ReadonlyMap<string, Mark>): Rows | null {
  const count = rows.lands.reduce((sum, group) => sum + group.ids.length, 0);
  if (count === rows.lands.length || count > SPREAD) return null;
  const lands = rows.lands.flatMap((group) =>
    group.ids.map((id) => ({
      ...group,
      ids: [id],
      thing: view.objects?.[id] ?? group.thing,
      mark: marks.get(objectKey(id)),
    })),
  );
  return { ...rows, lands };
}

function rowFor(thing: P.ObjectView, rows: Rows): Group[] {
  if (is(thing, "creature") || is(thing, "planeswalker")) return rows.front;
  return is(thing, "land") ? rows.lands : rows.back;
}

/** The permanents on a player's mat, as ids and objects in turn: by identity the same while nothing on the mat has changed. */
export function standing(seat: number, view: P.View): unknown[] {
  const found: unknown[] = [];
  for (const id of view.battlefield ?? []) {
    const thing = view.objects?.[id];
    if (thing?.controller === seat) found.push(id, thing);
  }
  return found;
}

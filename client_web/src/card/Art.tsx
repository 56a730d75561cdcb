// The picture of a card: drawn from its name, the same every time, so that a card is known at a glance. No pictures of others.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { seedOf } from "./look.ts";

const EMBLEMS: Record<string, string> = {
  creature:
    "M12 3c3 0 5 2 5 5 0 2-1 3.500-2.300 4.300L19 15v5H5v-5l4.300-2.700C8 11.500 7 10 7 8c0-3 2-5 5-5z",
  planeswalker:
    "M12 2l2.200 6L20 5l-3 5.800L22 13l-6 1.200L17.500 20 12 16.500 6.500 20 8 14.200 2 13l5-2.200L4 5l5.800 3z",
  land: "M2 19 9 7l4 6 2.500-3.500L22 19zM17 6a2 2 0 1 0 0-.1z",
  artifact:
    "M10 2h4l.6 2.700 2.300 1 2.300-1.500 2.600 2.700-1.500 2.300 1 2.300 2.700.6v3.600l-2.700.6-1 2.300-2.700 2.900H8l-3-3-.8-2L2 16v-4l2.200-.6L5.300 9 3.800 6.800 6.600 4l2.300 1.500zM12 9a3.500 3.500 0 1 0 .1 0z",
  enchantment:
    "M12 2l1.800 6.200L20 6l-4 5 6 1-6 1 4 5-6.200-2.200L12 22l-1.800-6.200L4 18l4-5-6-1 6-1-4-5 6.200 2.200z",
  instant: "M14 2 5 13h6l-2 9 10-13h-6z",
  sorcery: "M12 2c4 5 7 8 5 13a6 6 0 0 1-10 0C5 12 7 9 9 8c0 2 1 3 2 3 2-3 0-6 1-9z",
  ability: "M12 4a8 8 0 1 0 .1 0zM12 8v5l3 2",
  paw: "M6 9a2 2.600 0 1 0 .1 0zM10 4a2 2.800 0 1 0 .1 0zM14.500 4a2 2.800 0 1 0 .1 0zM18.500 9a2 2.600 0 1 0 .1 0zM12 12c3 0 6 4 5 7-1 2-3 1-5 1s-4 1-5-1c-1-3 2-7 5-7z",
  wing: "M2 9c5-5 9-3 10 2 1-5 5-7 10-2-3 0-4 1-4 3-2-1-3 0-4 2l-2 6-2-6c-1-2-2-3-4-2 0-2-1-3-4-3z",
  coil: "M16 4c3 0 4 3 2 5s-9 1-9 4 8 1 8 5-7 4-13 2c5 0 8 0 8-2s-8-1-8-5 7-4 9-5c1-1 0-2-2-1z",
  skull:
    "M12 3c5 0 8 3 8 8 0 3-1 4-3 5v4h-3v-2h-1v2h-2v-2h-1v2H7v-4c-2-1-3-2-3-5 0-5 3-8 8-8zM9 9a2 2 0 1 0 .1 0zM15 9a2 2 0 1 0 .1 0z",
  leaf: "M20 3c1 9-3 15-10 15-1 0-2 0-3-1l-3 4-1-1c4-6 8-9 13-12-6 1-10 4-12 8-2-8 5-13 16-13z",
  sword: "M19 3l2 2-9 10 2 2-1 2-3-2-4 4-3-3 4-4-2-3 2-1 2 2z",
  staff:
    "M17 2l1 3 3 1-3 1-1 3-1-3-3-1 3-1zM14 9l1 1L5 22l-2-2zM6 4l.6 1.900L8.500 6.500l-1.900.6L6 9l-.6-1.900-1.900-.6 1.900-.6z",
  wall: "M3 5h3v2h3V5h6v2h3V5h3v6h-2v9h-5v-4a2 2 0 0 0-4 0v4H5v-9H3z",
  gem: "M7 4h10l4 6-9 11L3 10zM8 6l-2.500 4H9zM16 6l-1 4h3.500z",
};

/** The emblems of creatures, by what their type lines say; the first that fits. */
const CREATURES: readonly [RegExp, keyof typeof EMBLEMS][] = [
  [/dragon|drake|bird|angel|bat|griffin|faerie|insect|pegasus|sphinx|phoenix|harpy|moth/, "wing"],
  [/wurm|snake|serpent|hydra|eel|fish|leviathan|kraken|octopus|crab|whale|worm|naga|lizard|turtle/, "coil"],
  [/zombie|skeleton|vampire|spirit|horror|demon|shade|specter|ghost|wraith|lich|phyrexian/, "skull"],
  [/treefolk|plant|dryad|fungus|saproling|ooze/, "leaf"],
  [/elemental|devil|efreet|\bimp\b/, "sorcery"],
  [/wall|golem|construct|giant/, "wall"],
  [/wizard|shaman|druid|cleric|monk|advisor|artificer/, "staff"],
  [/knight|soldier|warrior|rogue|assassin|pirate|samurai|berserker|archer|scout|goblin|orc|ninja/, "sword"],
  [
    /bear|boar|wolf|cat|hound|dog|beast|elk|stag|ox|horse|goat|rat|fox|ape|rhino|hippo|elephant|spider/,
    "paw",
  ],
];

/** The emblem of a card: its kind's, of a creature that of what it is. */
function emblemOf(kind: string, types: string): string {
  const found = kind === "creature" && CREATURES.find(([words]) => words.test(types));
  return EMBLEMS[found ? found[1] : kind] ?? EMBLEMS.ability ?? "";
}

/** Where the emblem, drawn in a box of 24 by 24, lies in the landscape of 100 by 50, and how large. The landscape is written in
 * the emblem's measure: a transformation would make every tile two layers more for the browser to sort at each change. */
const LEFT = 32;
const TOP = 6;
const SCALE = 1.5;
const x = (of: number): string => ((of - LEFT) / SCALE).toFixed(1);
const y = (of: number): string => ((of - TOP) / SCALE).toFixed(1);
const VIEW = `${x(0)} ${y(0)} ${(100 / SCALE).toFixed(1)} ${(50 / SCALE).toFixed(1)}`;

/** A path of points in the landscape: a letter of the path, then pairs. */
function path(...parts: (string | number)[]): string {
  let horizontal = true;
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      const written = horizontal ? x(part) : y(part);
      horizontal = !horizontal;
      return `${written} `;
    })
    .join("");
}

/** Times of day and seasons: how far the colours of a landscape turn, in the style sheet. */
const TIMES = 6;

interface Props {
  name: string;
  kind: string;
  /** Its type line in small letters, which picks the emblem of a creature. */
  types?: string | undefined;
  /** What becomes of it in a box of another form: it is cut, or, where nothing may be cut, pulled. */
  fit: "cut" | "pull";
}

function Drawing({ name, kind, types = "", fit }: Props): JSX.Element {
  const seed = seedOf(name);
  const at = (shift: number, range: number) => (seed >>> shift) % range;
  const peak = 18 + at(3, 24);
  const second = 60 + at(8, 26);
  const hills = ["M", 0, 50, "L", 0, 34 + at(5, 8), peak, 14 + at(11, 14), peak + 22, 40];
  const far = [...hills, second, 16 + at(15, 14), 100, 36 + at(19, 8), 100, 50, "z"];
  const near = ["M", 0, 50, "L", 0, 42 + at(7, 5), "Q", 26 + at(9, 20), 30 + at(23, 8), 54 + at(4, 10), 43];
  return (
    <svg
      class={`art time-${seed % TIMES}`}
      viewBox={VIEW}
      preserveAspectRatio={fit === "cut" ? "xMidYMid slice" : "none"}
      aria-hidden="true"
    >
      <circle class="art-1" cx={x(12 + at(13, 76))} cy={y(10 + at(17, 12))} r={5 + at(21, 6)} />
      <path class="art-2" d={path(...far)} />
      <path class="art-3" d={path(...near, "T", 100, 40 + at(14, 6), "L", 100, 50, "z")} />
      <path class="art-4" d={emblemOf(kind, types)} fill-rule="evenodd" />
    </svg>
  );
}

export const Art = memo(Drawing);

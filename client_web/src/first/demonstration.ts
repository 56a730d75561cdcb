// A table of four as it is played, for who comes for the first time: made up, of a few cards, round after round.
import type { P } from "../protocol/names.ts";

const card = (
  name: string,
  types: string,
  cost = "",
  size = "",
  colors: string[] = [],
  text = "",
): P.Face => {
  const [power, toughness] = size.split("/");
  return { name, types, cost, colors, text, ...(power && toughness ? { power, toughness } : {}) };
};

/** The cards on it, by the names of their faces. */
export const FACES: Record<string, P.Face> = {
  "show-forest": card("Forest", "Basic Land — Forest"),
  "show-mountain": card("Mountain", "Basic Land — Mountain"),
  "show-island": card("Island", "Basic Land — Island"),
  "show-plains": card("Plains", "Basic Land — Plains"),
  "show-boar": card("Hedge Boar", "Creature — Boar", "{2}{G}", "3/3", ["G"], "Trample"),
  "show-elder": card("Moss Elder", "Creature — Treefolk", "{4}{G}", "5/5", ["G"], "Vigilance"),
  "show-imp": card("Cinder Imp", "Creature — Imp", "{1}{R}", "2/1", ["R"], "Haste"),
  "show-giant": card("Slag Giant", "Creature — Giant", "{4}{R}", "5/4", ["R"], "Menace"),
  "show-heron": card("Tide Heron", "Creature — Bird", "{2}{U}", "2/2", ["U"], "Flying"),
  "show-eel": card("Glass Eel", "Creature — Fish", "{1}{U}", "1/3", ["U"], "Hexproof"),
  "show-squire": card("Bell Squire", "Creature — Human Soldier", "{1}{W}", "2/2", ["W"], "First strike"),
  "show-saint": card("Lantern Saint", "Creature — Human Cleric", "{3}{W}", "3/4", ["W"], "Lifelink"),
};

/** What each player has, by the ends of the names of their faces; so many lands first. */
const HAS = [
  ["forest", 4, "boar", "boar", "elder"],
  ["mountain", 4, "imp", "imp", "giant"],
  ["island", 4, "heron", "eel", "heron"],
  ["plains", 4, "squire", "saint", "squire"],
] as const;
const NAMES = ["Ada", "Bo", "Cy", "Dee"];
const START = 20;

/** The table before anything happens. */
export function beginning(): P.View {
  const objects: Record<string, P.ObjectView> = {};
  HAS.forEach(([land, lands, ...others], seat) => {
    [...Array.from({ length: lands }, () => land), ...others].forEach((name, at) => {
      const face = FACES[`show-${name}`];
      const creature = face?.types?.startsWith("Creature");
      const power = Number(face?.power);
      const toughness = Number(face?.toughness);
      objects[String(100 * seat + at)] = {
        zone: "battlefield",
        owner: seat,
        controller: seat,
        face: `show-${name}`,
        types: [creature ? "creature" : "land"],
        colors: face?.colors ?? [],
        keywords: creature && face?.text ? [face.text.toLowerCase()] : [],
        ...(creature ? { power, toughness } : {}),
      };
    });
  });
  return {
    turn: 7,
    phase: "precombat_main",
    step: "precombat_main",
    active: 0,
    order: [0, 1, 2, 3],
    players: Object.fromEntries(
      NAMES.map((name, seat) => [String(seat), { name, life: START, hand_count: 3, library_count: 40 }]),
    ),
    objects,
    battlefield: Object.keys(objects),
  };
}

/** The next moment: in each turn one player's two strongest attack the next two players, tapped, hurt them, and stand up again. */
export function after(view: P.View, beat: number): P.View {
  const seat = Math.floor(beat / 3) % NAMES.length;
  const objects = { ...view.objects };
  const strong = Object.keys(objects)
    .filter((id) => objects[id]?.controller === seat && objects[id]?.power !== undefined)
    .sort((a, b) => (objects[b]?.power ?? 0) - (objects[a]?.power ?? 0))
    .slice(0, 2);
  const foes = [1, 2].map((step) => (seat + step) % NAMES.length);
  const turn = (tapped: boolean) => {
    for (const id of strong) {
      const creature = objects[id] as P.ObjectView;
      objects[id] = { ...creature, tapped: tapped && !creature.keywords?.includes("vigilance") };
    }
  };
  if (beat % 3 === 0) {
    turn(false);
    return { ...view, active: seat, turn: view.turn + 1, step: "precombat_main", objects, combat: undefined };
  }
  turn(true);
  const attackers = Object.fromEntries(
    strong.map((id, at) => {
      const foe = foes[at] ?? 0;
      return [id, { defender: { kind: "player" as const, seat: foe }, defending_player: foe }];
    }),
  );
  if (beat % 3 === 1) return { ...view, objects, step: "declare_attackers", combat: { attackers } };
  const players = { ...view.players };
  strong.forEach((id, at) => {
    const foe = String(foes[at]);
    const player = players[foe];
    if (!player) return;
    const left = player.life - (objects[id]?.power ?? 0);
    players[foe] = { ...player, life: left > 0 ? left : START };
  });
  return { ...view, objects, players, step: "combat_damage", combat: { attackers } };
}

// One player's part of the table: the header with the figures, and the permanents in rows.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useRef } from "preact/hooks";
import { faceOf, nameOf, spoken } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { marks } from "../questions/current.ts";
import { playerKey } from "../questions/interaction.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import { attackedSeat, type Fate, fateOf } from "./fight.ts";
import { BEHIND, gapOf, joined, laid, type Size, SMALL, SOME, sumOf, useRoom } from "./fit.ts";
import { type Group, rowsOf, spread, standing } from "./groups.ts";
import { Header } from "./Header.tsx";
import { Tile } from "./Tile.tsx";
import { isActive, isBeyond, teamOf } from "./teams.ts";

/** The widest a tile is, in pixels. */
const WIDEST = 216;
/** A tile that is so wide and so high, in widths, has room for its text. */
const READABLE: Size = { width: 132, high: 1 };
/** Where mats lie one below the other and the page scrolls, as on a phone held upright, there is room enough for this width. */
const SCROLLING = matchMedia("(max-width: 620px)");
const SCROLLED = { layout: "three", size: { width: 74, high: 0.62 } } as const;

interface Props {
  seat: number;
  view: P.View;
  /** Ours is turned round: its creatures are at the top, towards the others. */
  own: boolean;
  fates: ReadonlyMap<string, Fate>;
}

function Shown({ seat, view, own, fates }: Props): JSX.Element {
  const player = view.players[String(seat)];
  const field = useRef<HTMLDivElement>(null);
  const room = useRoom(field).value;
  const stacks = rowsOf(seat, view, marks.value);
  const many = sumOf(stacks);
  const {
    layout,
    size,
    rows: apart,
  } = room && !SCROLLING.matches
    ? laid(stacks, spread(stacks, view, marks.value), room, WIDEST)
    : { ...SCROLLED, rows: stacks };
  const rows = joined(apart, layout, own);
  const { width } = size;
  const order: (keyof typeof rows)[] = own ? ["front", "back", "lands"] : ["lands", "back", "front"];
  const mark = marks.value.get(playerKey(seat));
  const classes = ["mat", own ? "own" : "", isActive(seat, view) ? "active" : "", player?.lost ? "lost" : ""];
  const team = teamOf(seat, view);
  if (team !== null) classes.push("in-team", `t${team}`);
  if (isBeyond(seat, view)) classes.push("beyond");
  if (width < SMALL) classes.push("small");
  if (many < SOME) classes.push("few");
  return (
    <section
      class={classes.filter(Boolean).join(" ")}
      style={{ "--tile": `${width}px`, "--gap": `${gapOf(width)}px`, "--tile-high": size.high }}
      aria-label={player?.name}
    >
      <Header seat={seat} view={view} mark={mark} />
      <div class="field-rows" ref={field}>
        {order.map((row) =>
          rows[row].length ? (
            <div key={row} class={`row ${row}`}>
              {rows[row].map((group) => (
                <Stack
                  key={group.ids[0]}
                  group={group}
                  view={view}
                  fates={fates}
                  letters={lettersOn(row === "front" ? width : width * BEHIND)}
                  reads={row !== "lands" && readable(row === "front" ? width : width * BEHIND, size.high)}
                />
              ))}
            </div>
          ) : null,
        )}
        {!many && <p class="hint empty">{say("web.empty_mat")}</p>}
      </div>
    </section>
  );
}

function readable(width: number, high: number): boolean {
  return width >= READABLE.width && high >= READABLE.high;
}

/** Letters that have room on the narrowest tile with two lines for its name. */
const LEAST_LETTERS = 26;

/** Letters of a name for which there is room: one line on a small tile, some two on others. */
function lettersOn(width: number): number {
  if (width < SMALL) return Math.floor((width - 4) / Math.max(5.4, width * 0.088));
  return Math.max(LEAST_LETTERS, Math.floor(width * 0.3));
}

/** Whether a mat looks the same: a patch mostly changes one player's things, and the other mats are not even looked at. What is
 * read from signals (marks, faces, the room) is followed by itself.
 */
function same(a: Props, b: Props): boolean {
  if (a.seat !== b.seat || a.own !== b.own || a.fates !== b.fates) return false;
  const key = String(a.seat);
  const now = standing(a.seat, a.view);
  const next = standing(a.seat, b.view);
  return (
    a.view.players[key] === b.view.players[key] &&
    a.view.combat === b.view.combat &&
    a.view.exile === b.view.exile &&
    a.view.command === b.view.command &&
    HEAD.every((state) => state(a.view, a.seat) === state(b.view, b.seat)) &&
    now.length === next.length &&
    now.every((one, at) => one === next[at])
  );
}

/** What else a header says of its player. */
const HEAD = [
  (view: P.View, seat: number) => isActive(seat, view),
  (view: P.View, seat: number) => view.priority === seat,
  (view: P.View, seat: number) => view.waiting_for?.includes(seat) ?? false,
  (view: P.View, seat: number) => isBeyond(seat, view),
  (view: P.View) => view.teams,
  (view: P.View) => view.emperors,
  (view: P.View, seat: number) =>
    Object.values(view.players)
      .map((player) => player.commander_damage?.[String(seat)] ?? 0)
      .join(),
];

export const Mat = memo(Shown, same);

interface StackProps {
  group: Group;
  view: P.View;
  fates: ReadonlyMap<string, Fate>;
  letters: number;
  /** Whether its tile is large enough to carry its text. */
  reads: boolean;
}

/** A tile with what is attached to it tucked behind. */
function Stack({ group, view, fates, letters, reads }: StackProps): JSX.Element {
  const id = group.ids[0] ?? "";
  const attacking = group.fights.startsWith("a");
  const blocking = group.fights.startsWith("b");
  const more: string[] = [];
  if (attacking) more.push(say("web.attacks", { target: targetName(id, view) }));
  if (blocking) more.push(say("web.blocking"));
  if (group.ids.length > 1) more.push(say("web.times", { count: group.ids.length }));
  const fate = fateOf(group.ids, fates);
  if (fate) more.push(say(`web.fate_${fate}`));
  const edge = group.mark?.to ?? (attacking ? attackedSeat(id, view) : -1);
  const tile = (
    <Tile
      ids={group.ids.join(" ")}
      count={group.ids.length}
      thing={group.thing}
      face={faceOf(group.thing, faces.value)}
      name={nameOf(id, view, faces.value)}
      mark={group.mark}
      label={spoken(id, view, faces.value, more)}
      fighting={attacking ? "attacking" : blocking ? "blocking" : ""}
      edge={edge}
      fate={fate ?? ""}
      letters={letters}
      reads={reads}
    />
  );
  if (!group.worn.length) return tile;
  return (
    <div class="wearing">
      {tile}
      {group.worn.map((worn) => {
        const thing = view.objects?.[worn];
        const mark = marks.value.get(`o${worn}`);
        return (
          <button
            key={worn}
            type="button"
            class={`worn ${mark?.can ? "can" : ""} ${mark?.picked ? "picked" : ""}`}
            data-ids={worn}
          >
            <span aria-hidden="true">{thing ? nameOf(worn, view, faces.value) : ""}</span>
            <span class="sr">{spoken(worn, view, faces.value, [say("web.attached")])}</span>
          </button>
        );
      })}
    </div>
  );
}

function targetName(id: string, view: P.View): string {
  const defender = view.combat?.attackers?.[id]?.defender;
  if (defender?.kind === "player") return view.players[String(defender.seat)]?.name ?? "";
  return defender?.kind === "object" ? nameOf(defender.id, view, faces.value) : "";
}

// One player's part of the table: the header with the figures, and the permanents in rows.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { faceOf, nameOf, spoken } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { marks } from "../questions/current.ts";
import { playerKey } from "../questions/interaction.ts";
import { faces, room } from "../state/game.ts";
import { say } from "../words.ts";
import { attackedSeat, type Fate, fateOf } from "./fight.ts";
import { type Group, rowsOf, standing } from "./groups.ts";
import { Header } from "./Header.tsx";
import { Tile } from "./Tile.tsx";

/** Tiles on a mat beyond which they are small. */
const DENSE = 20;

interface Props {
  seat: number;
  view: P.View;
  /** Ours is turned round: its creatures are at the top, towards the others. */
  own: boolean;
  fates: ReadonlyMap<string, Fate>;
}

function Shown({ seat, view, own, fates }: Props): JSX.Element {
  const player = view.players[String(seat)];
  const rows = rowsOf(seat, view, marks.value);
  const many = rows.front.length + rows.back.length + rows.lands.length;
  if (many > DENSE) {
    // Where there is little room, what does not fight shares its rows.
    rows.back = own ? [...rows.back, ...rows.lands] : [...rows.lands, ...rows.back];
    rows.lands = [];
  }
  const order: (keyof typeof rows)[] = own ? ["front", "back", "lands"] : ["lands", "back", "front"];
  const mark = marks.value.get(playerKey(seat));
  const classes = ["mat", own ? "own" : "", view.active === seat ? "active" : "", player?.lost ? "lost" : ""];
  const bot = room.value?.seats[seat]?.kind === "bot";
  return (
    <section
      class={classes.filter(Boolean).join(" ")}
      data-density={many > DENSE ? "s" : many > 12 ? "m" : many > 6 ? "l" : "xl"}
      aria-label={player?.name}
    >
      <Header seat={seat} view={view} mark={mark} bot={bot} />
      <div class="field-rows">
        {order.map((row) =>
          rows[row].length ? (
            <div key={row} class={`row ${row}`}>
              {rows[row].map((group) => (
                <Stack key={group.ids[0]} group={group} view={view} fates={fates} />
              ))}
            </div>
          ) : null,
        )}
        {!many && <p class="hint empty">{say("web.empty_mat")}</p>}
      </div>
    </section>
  );
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
    HEAD.every((state) => state(a.view, a.seat) === state(b.view, b.seat)) &&
    now.length === next.length &&
    now.every((one, at) => one === next[at])
  );
}

/** What else a header says of its player. */
const HEAD = [
  (view: P.View, seat: number) => view.active === seat,
  (view: P.View, seat: number) => view.priority === seat,
  (view: P.View, seat: number) => view.waiting_for?.includes(seat) ?? false,
];

export const Mat = memo(Shown, same);

interface StackProps {
  group: Group;
  view: P.View;
  fates: ReadonlyMap<string, Fate>;
}

/** A tile with what is attached to it tucked behind. */
function Stack({ group, view, fates }: StackProps): JSX.Element {
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

// A player's figures: life, cards, what is in the pool; whose turn, who has priority, who is waited for. Can be a target.
import type { JSX } from "preact";
import { faceOf, frame, nameOf, playerName, spoken } from "../card/look.ts";
import { ManaSymbol, Symbols } from "../card/Mana.tsx";
import { forecast } from "../combat/forecast.ts";
import type { P } from "../protocol/names.ts";
import { marks } from "../questions/current.ts";
import { type Mark, objectKey } from "../questions/interaction.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import { SeatClock } from "./Clock.tsx";
import { EmoteOf } from "./Emotes.tsx";
import { attackersOf } from "./fight.ts";
import { standing } from "./groups.ts";
import { Life } from "./Life.tsx";
import { isActive, isBeyond, isEmperor, teamOf } from "./teams.ts";
import { commandersOf, openZone, titlesOf } from "./zones.ts";

interface Props {
  seat: number;
  view: P.View;
  mark: Mark | undefined;
}

/** How the server ends the names of its bots, and of nobody else. */
const BOT = / \(bot\)$/;

export function Header({ seat, view, mark }: Props): JSX.Element {
  const player = view.players[String(seat)];
  if (!player) return <header class="head" />;
  const bot = BOT.test(player.name);
  const classes = [
    "head",
    mark?.can ? "can" : "",
    mark?.picked ? "picked" : "",
    mark?.aim ? "aim" : "",
    view.priority === seat ? "priority" : "",
  ];
  return (
    <header class={classes.filter(Boolean).join(" ")}>
      <button
        type="button"
        class="who"
        data-seat={seat}
        aria-pressed={mark?.can ? Boolean(mark.picked || mark.aim) : undefined}
      >
        <span class={`seat-dot s${seat}`} aria-hidden="true">
          {seat + 1}
        </span>
        {mark?.label && <kbd class="keycap">{mark.label}</kbd>}
        <strong>{player.name.replace(BOT, "")}</strong>
        {bot && <span class="tag of-bot">{say("web.bot")}</span>}
        <Team seat={seat} view={view} />
        <State seat={seat} view={view} player={player} />
        <EmoteOf seat={seat} />
        <SeatClock seat={seat} />
        <span class={`life ${lengthOf(player.life)}`} title={say("web.life")}>
          <span class="sr">{say("web.life")} </span>
          <Life value={player.life} you={view.you} />
          <Foreseen seat={seat} life={player.life} />
        </span>
      </button>
      <Figures seat={seat} view={view} player={player} />
    </header>
  );
}

/** Totals of many figures are written smaller, so that all of them are in sight. */
function lengthOf(life: number): string {
  const figures = String(life).length;
  return figures > 6 ? "longest" : figures > 3 ? "long" : "";
}

/** What the life total would be if nobody did anything more after the declaration that is drafted. */
function Foreseen({ seat, life }: { seat: number; life: number }): JSX.Element | null {
  const change = forecast.value?.effects?.life?.[String(seat)];
  if (!change) return null;
  return <span class={`life-after ${change < 0 ? "less" : ""}`}>→ {life + change}</span>;
}

interface PartProps {
  seat: number;
  view: P.View;
  player: P.PlayerView;
}

function State({ seat, view, player }: PartProps): JSX.Element {
  if (player.lost) return <Tag kind="out" sign={`✕ ${say("web.out")}`} words={say("ui.out")} />;
  const attackers = attackersOf(seat, view);
  return (
    <>
      {isActive(seat, view) && <Tag kind="turn" sign="▶" words={say("web.turn_mark")} />}
      {view.waiting_for?.includes(seat) && <Tag kind="asked" sign="…" words={say("web.thinks")} />}
      {player.controlled_by !== undefined && (
        <Tag
          kind="controlled"
          sign="⛓"
          words={say("ui.controlled_by", { name: playerName(player.controlled_by, view) })}
        />
      )}
      {attackers > 0 && (
        <span class={`tag attacked s${seat}`} title={say("web.attacked", { count: attackers })}>
          <span aria-hidden="true">⚔ {attackers}</span>
          <span class="sr">{say("web.attacked", { count: attackers })}</span>
        </span>
      )}
    </>
  );
}

/** How many cards a player has in hand; a team mate's, which we may look at, can be opened. */
function HandFigure({ seat, view, player }: PartProps): JSX.Element {
  const count = player.hand_count ?? 0;
  if (seat === view.you || !player.hand?.length)
    return <Figure icon="hand" words="web.in_hand" count={count} />;
  return (
    <button
      type="button"
      class="figure"
      onClick={() => openZone("hand", seat)}
      title={say("web.in_hand", { count })}
    >
      <Icon name="hand" />
      <span class="sr">{say("web.in_hand", { count })}</span>
      <span aria-hidden="true">{count}</span>
    </button>
  );
}

/** Of which team a player is, whether with us, whether it is led by them, and whether they are out of our reach. */
export function Team({ seat, view }: { seat: number; view: P.View }): JSX.Element | null {
  const team = teamOf(seat, view);
  const beyond = isBeyond(seat, view);
  if (team === null && !beyond) return null;
  const ours = view.you !== undefined && seat !== view.you && team === teamOf(view.you, view);
  const emperor = isEmperor(seat, view);
  return (
    <>
      {team !== null && (
        <span class={`tag team t${team}`} data-team={team}>
          <span aria-hidden="true">{LETTERS[team]}</span>
          <span class="sr">{say("web.team", { team: team + 1 })}</span>
          {emperor && (
            <>
              <Icon name="command" />
              <span class="sr">{say("web.emperor")}</span>
            </>
          )}
          {ours && <span class="tag-words"> {say("web.ally")}</span>}
        </span>
      )}
      {beyond && <Tag kind="beyond" sign="⇥" words={say("web.beyond")} />}
    </>
  );
}

/** Teams by letters, since seats have numbers. */
const LETTERS = "ABCDEFGHIJ";

/** A word about a player; where the header is narrow, only its sign is seen. */
function Tag({ kind, sign, words }: { kind: string; sign: string; words: string }): JSX.Element {
  return (
    <span class={`tag ${kind}`} title={words}>
      <span class="tag-sign" aria-hidden="true">
        {sign}
      </span>
      <span class="tag-words">{words}</span>
    </span>
  );
}

/** How many permanents a player has; seen where the page leaves some of them out. */
function Permanents({ seat, view }: { seat: number; view: P.View }): JSX.Element {
  const count = standing(seat, view).length / 2;
  return (
    <span class="figure all-permanents" title={say("web.permanents", { count })}>
      <span aria-hidden="true">▦ {count}</span>
      <span class="sr">{say("web.permanents", { count })}</span>
    </span>
  );
}

function Figures({ seat, view, player }: PartProps): JSX.Element {
  const graveyard = player.graveyard?.length ?? 0;
  const exile = (view.exile ?? []).filter((id) => view.objects?.[id]?.owner === seat).length;
  const command = (view.command ?? []).filter((id) => view.objects?.[id]?.owner === seat).length;
  return (
    <span class="figures">
      <Commanders seat={seat} view={view} />
      {titlesOf(seat, view).map((title) => (
        <span key={title} class="figure title">
          {say(`title.${title}`)}
        </span>
      ))}
      <HandFigure seat={seat} view={view} player={player} />
      <Figure icon="library" words="web.in_library" count={player.library_count ?? 0} />
      <button
        type="button"
        class="figure"
        disabled={!graveyard}
        onClick={() => openZone("graveyard", seat)}
        title={say("zone.graveyard")}
      >
        <Icon name="graveyard" />
        <span class="sr">{say("zone.graveyard")} </span>
        {graveyard}
      </button>
      {exile > 0 && (
        <button
          type="button"
          class="figure"
          onClick={() => openZone("exile", seat)}
          title={say("zone.exile")}
        >
          <Icon name="exile" />
          <span class="sr">{say("zone.exile")} </span>
          {exile}
        </button>
      )}
      {command > 0 && (
        <button
          type="button"
          class="figure"
          onClick={() => openZone("command", seat)}
          title={say("zone.command")}
        >
          <Icon name="command" />
          <span class="sr">{say("zone.command")} </span>
          {command}
        </button>
      )}
      {Object.entries(player.commander_damage ?? {}).map(([owner, amount]) => (
        <span
          key={owner}
          class={`figure ink-${owner}`}
          title={say("web.commander_damage", { name: playerName(Number(owner), view), amount })}
        >
          <Icon name="command" />
          <span class="sr">
            {say("web.commander_damage", { name: playerName(Number(owner), view), amount })}
          </span>
          <span aria-hidden="true">−{amount}</span>
        </span>
      ))}
      {Object.entries(player.counters ?? {}).map(([kind, count]) => (
        <span key={kind} class="figure hurt">
          {kind} {count}
        </span>
      ))}
      {Object.entries(player.mana ?? {}).map(([letter, count]) => (
        <span key={letter} class="figure pool">
          <ManaSymbol of={letter} />×{count}
        </span>
      ))}
      <Permanents seat={seat} view={view} />
    </span>
  );
}

/** The commanders that a player has in the command zone, as cards: what they cost more by now, and whom they have dealt how much. */
function Commanders({ seat, view }: { seat: number; view: P.View }): JSX.Element {
  const dealt = Object.entries(view.players)
    .map(([other, player]) => ({
      other: Number(other),
      amount: player.commander_damage?.[String(seat)] ?? 0,
    }))
    .filter(({ amount }) => amount > 0);
  return (
    <>
      {commandersOf(seat, view).map((id) => {
        const thing = view.objects?.[id];
        const face = faceOf(thing, faces.value);
        const mark = marks.value.get(objectKey(id));
        const tax = thing?.tax ? `{${thing.tax}}` : "";
        const room = thing?.kind === "dungeon" ? thing.notes?.room : undefined;
        const mine = room ? [] : dealt;
        const more = [
          room ? say("web.room", { room }) : "",
          tax && say("web.tax", { tax }),
          ...mine.map(({ other, amount }) => say("web.dealt", { name: playerName(other, view), amount })),
        ];
        return (
          <button
            key={id}
            type="button"
            class={`commander f-${frame(thing, face)} ${mark?.can ? "can" : ""} ${mark?.picked ? "picked" : ""}`}
            data-ids={id}
          >
            <span class="sr">{spoken(id, view, faces.value, more.filter(Boolean))}</span>
            <span class="commander-name" aria-hidden="true">
              {nameOf(id, view, faces.value)}
            </span>
            {room && (
              <span class="commander-tax" aria-hidden="true">
                {room}
              </span>
            )}
            {tax && (
              <span class="commander-tax" aria-hidden="true">
                +<Symbols text={tax} />
              </span>
            )}
            {mine.map(({ other, amount }) => (
              <span key={other} class={`commander-dealt s${other}`} aria-hidden="true">
                {amount}
              </span>
            ))}
          </button>
        );
      })}
    </>
  );
}

function Figure({ icon, words, count }: { icon: string; words: string; count: number }): JSX.Element {
  return (
    <span class="figure" title={say(words, { count })}>
      <Icon name={icon} />
      <span class="sr">{say(words, { count })}</span>
      <span aria-hidden="true">{count}</span>
    </span>
  );
}

const ICONS: Record<string, string> = {
  hand: "M2 5l5-2 4 9-5 2zM8 3h5v10h-2z",
  library: "M3 3h10v2H3zm0 3.500h10v2H3zM3 10h10v3H3z",
  graveyard: "M4 14V6a4 4 0 0 1 8 0v8zM2 14h12M8 6v4M6.500 7.500h3",
  mana: "M8 2c3 4 4 5.500 4 7.500a4 4 0 0 1-8 0C4 7.500 5 6 8 2z",
  command: "M2 12h12M3 12 2 5l4 3 2-5 2 5 4-3-1 7z",
  exile: "M8 2a6 6 0 1 0 .1 0zM4 4l8 8",
};

export function Icon({ name }: { name: string }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

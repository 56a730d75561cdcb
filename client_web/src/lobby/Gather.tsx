// A room before its game: who sits where, decks, bots, the invitation, chat, and the host's options.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Beforehand } from "../byhand/Beforehand.tsx";
import { PeopleHere } from "../people/PersonMenu.tsx";
import { StandingOn } from "../people/Standing.tsx";
import type { P } from "../protocol/names.ts";
import { ladderOf } from "../state/ratings.ts";
import { decks, leaveRoom, request } from "../state/session.ts";
import { known, say } from "../words.ts";
import { ChatBox } from "./Chat.tsx";
import { DeckPicker } from "./Deck.tsx";
import { Invite } from "./Invite.tsx";
import { Exchange, isBetweenGames, Score } from "./Match.tsx";
import { OptionsForm } from "./Options.tsx";

export function Gather({ room }: { room: P.RoomState }): JSX.Element {
  const host = room.you !== undefined && room.you === room.host;
  const mine = room.you === undefined ? undefined : room.seats[room.you];
  const between = isBetweenGames(room);
  const full = room.seats.every((seat) => seat.kind !== undefined && seat.kind !== "open");
  const ready = full && room.seats.every((seat) => seat.deck && (seat.ready || seat.seat === room.host));
  return (
    <main class="gather" id="main">
      <section class="panel seats-panel">
        <h1>{room.options.title || say("web.table_of", { name: hostOf(room) })}</h1>
        <p class="hint">
          {room.id}
          {room.options.rated && (
            <span class="tag rated" title={say("web.about_rated_game")}>
              {say("web.rated")}
            </span>
          )}
        </p>
        <Score room={room} />
        <Seats room={room} host={host && !between} />
        <div class="buttons">
          {host && !full && !room.options.rated && <FillWithBots room={room} />}
          {mine && (!host || between) && (
            <button
              type="button"
              class={mine.ready ? "" : "primary"}
              disabled={!mine.deck}
              onClick={() => void request({ type: "ready", ready: !mine.ready })}
            >
              {say(mine.ready ? "ui.unready" : "ui.ready")}
            </button>
          )}
          {host && !between && (
            <button
              type="button"
              class="primary"
              disabled={!ready}
              onClick={() => void request({ type: "start" })}
            >
              {say("ui.start")}
            </button>
          )}
          <button type="button" onClick={() => void leaveRoom()}>
            {say("ui.leave")}
          </button>
        </div>
        <p class="hint" role="status">
          {hint(room, host, full)}
        </p>
      </section>
      {mine && between && room.match && <Exchange room={room} match={room.match} />}
      {mine && !between && (
        <section class="panel deck-panel">
          <h2>{say("web.your_deck")}</h2>
          <DeckPicker chosen={mine.deck ?? ""} ready={!host} />
        </section>
      )}
      <Beforehand room={room} />
      <section class="panel">
        <h2>{say("web.invite")}</h2>
        <Invite room={room} />
      </section>
      <section class="panel">
        <h2>{say("web.chat")}</h2>
        <ChatBox />
        <PeopleHere />
      </section>
      {host && !between && <HostOptions options={room.options} />}
    </main>
  );
}

/** Whoever hosts is ready by starting; but the next game of a match starts by itself, once everybody has said so. */
function isReady(seat: P.Seat, room: P.RoomState): boolean {
  const starts = seat.seat === room.host && room.match?.left_ms === undefined;
  return Boolean(seat.ready) || starts;
}

function hostOf(room: P.RoomState): string {
  return (room.host === undefined ? undefined : room.seats[room.host]?.name) ?? room.id;
}

/** What is still missing, in one sentence. */
function hint(room: P.RoomState, host: boolean, full: boolean): string {
  const mine = room.you === undefined ? undefined : room.seats[room.you];
  if (mine && !mine.deck) return say("web.hint_deck");
  if (!full && host) return say(room.options.rated ? "web.hint_free_rated" : "web.hint_free_host");
  if (!full) return say("web.hint_free");
  const waiting = room.seats.filter((seat) => !seat.deck || !isReady(seat, room));
  if (waiting.length) return say("ui.waiting", { names: waiting.map((seat) => seat.name ?? "") });
  return say(host ? "web.hint_start" : "web.hint_host");
}

function Seats({ room, host }: { room: P.RoomState; host: boolean }): JSX.Element {
  return (
    <ol class="seats">
      {room.seats.map((seat) => (
        <li key={seat.seat} class={seat.seat === room.you ? "mine" : ""}>
          <span class={`seat-dot s${seat.seat}`} aria-hidden="true">
            {seat.seat + 1}
          </span>
          <SeatWords seat={seat} room={room} />
          {host && <SeatButtons seat={seat} room={room} />}
        </li>
      ))}
    </ol>
  );
}

/** A bot's level in words; those that think ahead have in their name how long. */
function levelOf(level: string): string {
  const ms = /^search (\d+) ms$/.exec(level)?.[1];
  if (ms) return say("web.level_search", { ms });
  return say(known(`web.level_${level}`) ? `web.level_${level}` : level);
}

function SeatWords({ seat, room }: { seat: P.Seat; room: P.RoomState }): JSX.Element {
  if (!seat.kind || seat.kind === "open") return <span class="hint seat-words">{say("ui.free")}</span>;
  const words = [
    seat.kind === "bot" ? say("ui.bot", { level: levelOf(seat.level ?? "") }) : "",
    seat.seat === room.host ? say("ui.host") : "",
    seat.deck
      ? say("ui.deck", { deck: seat.deck === "own" ? say("web.own_deck") : seat.deck })
      : say("web.no_deck"),
    seat.deck && isReady(seat, room) ? say("ui.is_ready") : "",
    seat.kind === "person" && !seat.connected ? say("web.away") : "",
  ];
  return (
    <span class="seat-words">
      <strong>{seat.name}</strong> <span class="hint">{words.filter(Boolean).join(" · ")}</span>
      {room.options.rated && seat.person && (
        <StandingOn person={seat.person} ladder={ladderOf(room.options)} />
      )}
    </span>
  );
}

function SeatButtons({ seat, room }: { seat: P.Seat; room: P.RoomState }): JSX.Element | null {
  const level = decks.value?.bots?.[0];
  if (seat.seat === room.host) return null;
  if (!seat.kind || seat.kind === "open") {
    if (!level || room.options.rated) return null;
    return (
      <button type="button" onClick={() => void request({ type: "add_bot", level, seat: seat.seat })}>
        {say("ui.add_bot")}
      </button>
    );
  }
  return (
    <button type="button" onClick={() => void request({ type: "remove", seat: seat.seat })}>
      {say("web.remove", { name: seat.name ?? "" })}
    </button>
  );
}

function FillWithBots({ room }: { room: P.RoomState }): JSX.Element | null {
  const levels = decks.value?.bots ?? [];
  const level = useSignal("");
  if (!levels.length) return null;
  const fill = async () => {
    for (const seat of room.seats) {
      if (!seat.kind || seat.kind === "open") {
        await request({ type: "add_bot", level: level.value || levels[0], seat: seat.seat });
      }
    }
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => void fill()}>
        {say("ui.fill")}
      </button>
      {levels.length > 1 && (
        <select
          aria-label={say("ui.which_bot")}
          value={level.value || levels[0]}
          onChange={(event) => {
            level.value = event.currentTarget.value;
          }}
        >
          {levels.map((name) => (
            <option key={name} value={name}>
              {say("ui.bot", { level: levelOf(name) })}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

function HostOptions({ options }: { options: P.RoomOptions }): JSX.Element {
  return (
    <section class="panel">
      <details>
        <summary>{say("web.options")}</summary>
        <OptionsForm
          options={options}
          onChange={(changed) => void request({ type: "options", options: changed })}
        />
      </details>
    </section>
  );
}

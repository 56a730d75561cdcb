// The room list, and a room of one's own.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Welcome } from "../first/Welcome.tsx";
import type { P } from "../protocol/names.ts";
import { welcome } from "../state/game.ts";
import { go } from "../state/route.ts";
import { comeBack, joinRoom, openRoom, refreshRooms, rooms, watchRoom } from "../state/session.ts";
import { name, pace } from "../state/settings.ts";
import { say } from "../words.ts";
import { NameField, written } from "./Entry.tsx";
import { OptionsForm } from "./Options.tsx";

export function Lobby(): JSX.Element {
  const opening = useSignal(false);
  const usual = { seats: 4, by_hand: "unread", bot_pauses: pace.value !== "off" } as const;
  const options = useSignal<P.RoomOptions>(usual);
  useEffect(refreshRooms, []);
  // Decided once: nothing moves under the pointer of who has just said their name.
  const first = useSignal(name.peek() === "").value;
  const named = written.value.trim() !== "";
  return (
    <main class="lobby" id="main">
      <section class="hero">
        <h1>apnap</h1>
        <p>{say("web.tagline")}</p>
        <NameField autoFocus={!named} />
        <div class="buttons">
          <button type="button" class="primary" disabled={!named} onClick={() => void openRoom(usual)}>
            {say("ui.open_four")}
          </button>
          <button
            type="button"
            aria-expanded={opening.value}
            onClick={() => {
              opening.value = !opening.value;
            }}
          >
            {say("web.other_table")}
          </button>
        </div>
        {!named && <p class="hint">{say("web.name_first")}</p>}
      </section>
      {first && !opening.value && <Welcome />}
      {opening.value && (
        <section class="panel">
          <h2>{say("web.new_table")}</h2>
          <OptionsForm
            options={options.value}
            onChange={(changed) => {
              options.value = changed;
            }}
          />
          <button
            type="button"
            class="primary"
            disabled={!named}
            onClick={() => void openRoom(options.value)}
          >
            {say("web.open")}
          </button>
        </section>
      )}
      <section class="panel">
        <h2>{say("web.tables")}</h2>
        <RoomList named={named} />
      </section>
    </main>
  );
}

function RoomList({ named }: { named: boolean }): JSX.Element {
  const mine = new Set(welcome.value?.rooms ?? []);
  const listed = rooms.value;
  if (!listed.length) return <p class="hint">{say("web.no_tables")}</p>;
  return (
    <ul class="rooms">
      {listed.map((room) => (
        <RoomLine key={room.id} room={room} mine={mine.has(room.id)} named={named} />
      ))}
    </ul>
  );
}

function RoomLine({
  room,
  mine,
  named,
}: {
  room: P.RoomSummary;
  mine: boolean;
  named: boolean;
}): JSX.Element {
  const { options } = room;
  const seats = options.seats ?? 4;
  const free = room.state === "gathering" && room.taken < seats;
  return (
    <li>
      <div>
        <strong>{options.title || room.host || room.id}</strong>
        <span class="hint">
          {[
            options.title && room.host ? say("web.hosted", { name: room.host }) : "",
            say("web.taken", { taken: room.taken, seats }),
            room.turn ? say("web.turn", { turn: room.turn }) : say(`web.state_${room.state}`),
            say("web.rules", { edition: say(`web.edition_${options.edition ?? "2011"}`) }),
            options.format && options.format !== "constructed" ? say(`web.format_${options.format}`) : "",
            options.rated ? say("web.rated") : "",
            options.deck_rules ? say("web.deck_rules", { name: options.deck_rules }) : "",
            room.watchers ? say("web.watched", { count: room.watchers }) : "",
            room.locked ? say("web.locked") : "",
            options.title || room.host ? "" : room.id,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <div class="buttons">
        {mine && (
          <button type="button" class="primary" onClick={() => void comeBack(room.id)}>
            {say("web.back_to")}
          </button>
        )}
        {!mine && free && (
          <button
            type="button"
            class="primary"
            disabled={!named}
            onClick={() => (room.locked ? go({ at: "room", room: room.id }) : void joinRoom(room.id))}
          >
            {say("web.sit")}
          </button>
        )}
        {!mine && options.spectators !== false && (
          <button
            type="button"
            onClick={() => (room.locked ? go({ at: "room", room: room.id }) : void watchRoom(room.id))}
          >
            {say("web.watch")}
          </button>
        )}
      </div>
    </li>
  );
}

// A match of several games: its score, and between its games the cards that are exchanged with the sideboard.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { P } from "../protocol/names.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";

/** The score; between games also who chooses who begins, and how long there is. */
export function Score({ room }: { room: P.RoomState }): JSX.Element | null {
  const match = room.match;
  if (!match) return null;
  const wins = match.wins.join(":");
  const name = (seat: number) => room.seats[seat]?.name ?? "";
  if (match.winner !== undefined)
    return <p class="match">{say("ui.match_won", { name: name(match.winner), wins })}</p>;
  return (
    <p class="match">
      {say("ui.match", { best_of: match.best_of, game: match.game, wins })}
      {match.left_ms !== undefined && (
        <>
          {" "}
          {say("ui.match_time", { seconds: Math.round(match.left_ms / 1000) })}{" "}
          {match.chooser !== undefined && say("ui.match_chooser", { name: name(match.chooser) })}
        </>
      )}
    </p>
  );
}

/** Whether the next game of a match is still to begin here. */
export const isBetweenGames = (room: P.RoomState): boolean => room.match?.left_ms !== undefined;

/** One's own deck and sideboard; a press moves one card, and all is told the server at once. */
export function Exchange({ room, match }: { room: P.RoomState; match: P.MatchState }): JSX.Element {
  const begins = useSignal(true);
  const main = match.main ?? {};
  const side = match.sideboard ?? {};
  const tell = (next: Record<string, number>) =>
    void request({ type: "sideboard", main: next, first: begins.value });
  const draft = useSignal<Record<string, number> | null>(null);
  const now = draft.value ?? main;
  const names = [...new Set([...Object.keys(main), ...Object.keys(side)])].sort();
  const all = (name: string) => (main[name] ?? 0) + (side[name] ?? 0);
  const move = (name: string, by: number) => {
    draft.value = { ...now, [name]: (now[name] ?? 0) + by };
  };
  const total = names.reduce((sum, name) => sum + (now[name] ?? 0), 0);
  return (
    <section class="panel exchange">
      <h2>{say("web.exchange")}</h2>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              aria-label={say("web.to_sideboard", { name })}
              disabled={!now[name]}
              onClick={() => move(name, -1)}
            >
              −
            </button>
            <button
              type="button"
              aria-label={say("web.to_main", { name })}
              disabled={(now[name] ?? 0) >= all(name)}
              onClick={() => move(name, 1)}
            >
              +
            </button>{" "}
            <span>
              {now[name] ?? 0}/{all(name)} {name}
            </span>
          </li>
        ))}
      </ul>
      {match.chooser === room.you && (
        <label>
          <input
            type="checkbox"
            checked={begins.value}
            onChange={(event) => {
              begins.value = event.currentTarget.checked;
              tell(now);
            }}
          />{" "}
          {say("web.i_begin")}
        </label>
      )}
      <div class="buttons">
        <button type="button" class="primary" disabled={draft.value === null} onClick={() => tell(now)}>
          {say("web.exchange_done")} ({total})
        </button>
      </div>
    </section>
  );
}

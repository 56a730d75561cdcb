// What makes a long game easier: a pause, longer clocks, a bot for who is away, an end by consent, what is answered by itself.
import type { JSX } from "preact";
import { automatic, clock } from "../state/extras.ts";
import { room } from "../state/game.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";

export function Comfort(): JSX.Element {
  const away = (room.value?.seats ?? []).filter((seat) => seat.kind === "person" && !seat.connected);
  const answers = automatic.value?.answers ?? [];
  return (
    <div class="comfort">
      {clock.value && (
        <>
          <button
            type="button"
            onClick={() => void request(clock.value?.paused_ms ? { type: "unpause" } : { type: "pause" })}
          >
            {say(clock.value.paused_ms ? "web.unpause" : "web.pause")}
          </button>
          <button type="button" onClick={() => void request({ type: "longer_clock", times: 3 })}>
            {say("web.longer_clock")}
          </button>
        </>
      )}
      {away.map((seat) => (
        <button
          key={seat.seat}
          type="button"
          onClick={() => void request({ type: "bot_for", seat: seat.seat })}
        >
          {say("web.bot_for", { name: seat.name ?? "" })}
        </button>
      ))}
      <button type="button" onClick={() => void request({ type: "end_game" })}>
        {say("web.end_game")}
      </button>
      {answers.length > 0 && (
        <ul class="automatic">
          {answers.map((answer) => (
            <li key={answer.key}>
              {say(`web.does_${answer.does}`, { name: answer.name ?? "" })}{" "}
              <button type="button" onClick={() => void request({ type: "forget", key: answer.key })}>
                {say("web.forget")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// What can be done about somebody: read them no more, report them, and, as the host of the room, mute them or send them out.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { room, welcome } from "../state/game.ts";
import { around, ignore, ignored, type Someone } from "../state/people.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";
import { Standing } from "./Standing.tsx";

/** Everybody else in the room, each with what can be done about them. */
export function PeopleHere(): JSX.Element | null {
  const people = around.value;
  const blocked = hosting() ? (room.value?.blocked ?? []) : [];
  if (!people.length && !blocked.length) return null;
  return (
    <details class="people-here">
      <summary>{say("web.people_here")}</summary>
      <ul class="people">
        {people.map((one) => (
          <PersonLine key={one.person} one={one} />
        ))}
        {blocked.map((person) => (
          <li key={person}>
            <strong>{say("web.blocked_person", { person })}</strong>
            <button type="button" onClick={() => void request({ type: "unblock", person })}>
              {say("web.unblock")}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function hosting(): boolean {
  return room.value?.you !== undefined && room.value.you === room.value.host;
}

function PersonLine({ one }: { one: Someone }): JSX.Element {
  const { person } = one;
  const reporting = useSignal<string | null>(null);
  const reported = useSignal(false);
  const rating = useSignal(false);
  const quiet = ignored.value.includes(person);
  const muted = room.value?.muted?.includes(person) ?? false;
  const seated = room.value?.seats.some((seat) => seat.person === person) ?? false;
  const playing = room.value?.state === "playing";
  const report = async () => {
    const done = await request({ type: "report", person, text: reporting.value ?? "" });
    reporting.value = null;
    reported.value = done !== null;
  };
  return (
    <li>
      <strong>{one.name}</strong>
      <div class="buttons">
        <button type="button" aria-pressed={quiet} onClick={() => void ignore(one, !quiet)}>
          {say(quiet ? "web.unignore" : "web.ignore")}
        </button>
        <button
          type="button"
          aria-expanded={reporting.value !== null}
          onClick={() => {
            reporting.value = reporting.value === null ? "" : null;
          }}
        >
          {say("web.report")}
        </button>
        {welcome.value?.ladder && (
          <button
            type="button"
            aria-expanded={rating.value}
            onClick={() => {
              rating.value = !rating.value;
            }}
          >
            {say("web.rating")}
          </button>
        )}
        {hosting() && (
          <button
            type="button"
            aria-pressed={muted}
            onClick={() => void request({ type: "mute", person, mute: !muted })}
          >
            {say(muted ? "web.unmute" : "web.mute")}
          </button>
        )}
        {hosting() && !(seated && playing) && (
          <>
            <button type="button" onClick={() => void request({ type: "kick", person })}>
              {say("web.kick")}
            </button>
            <button type="button" onClick={() => void request({ type: "kick", person, block: true })}>
              {say("web.kick_block")}
            </button>
          </>
        )}
      </div>
      {rating.value && <Standing person={person} />}
      {reporting.value !== null && (
        <form
          class="account-form"
          onSubmit={(event) => {
            event.preventDefault();
            void report();
          }}
        >
          <label class="field">
            <span>{say("web.report_what", { name: one.name })}</span>
            <textarea
              rows={3}
              maxLength={1000}
              value={reporting.value}
              onInput={(event) => {
                reporting.value = event.currentTarget.value;
              }}
            />
            <small>{say("web.report_about")}</small>
          </label>
          <button type="submit">{say("web.report_send")}</button>
        </form>
      )}
      {reported.value && <p role="status">{say("web.reported")}</p>}
    </li>
  );
}

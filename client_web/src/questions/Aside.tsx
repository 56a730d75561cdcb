// What can be done about a question beside answering it: take the last answer back, answer it always so.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Symbols } from "../card/Mana.tsx";
import { room, view as table } from "../state/game.ts";
import { casting, given } from "../state/given.ts";
import { takeBack } from "../state/passing.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";
import { Stepper } from "./controls.tsx";
import type { Draft } from "./interaction.ts";

export function Aside({ now }: { now: Draft }): JSX.Element {
  const { question } = now;
  const always = question.kind === "confirm" && question.source !== undefined;
  return (
    <div class="aside">
      <TakeBack />
      <RepeatLoop />
      {always &&
        [true, false].map((yes) => (
          <button
            key={String(yes)}
            type="button"
            class="quiet"
            onClick={() => void request({ type: "always", question: question.id, yes })}
          >
            {say(yes ? "web.always_yes" : "web.always_no")}
          </button>
        ))}
    </div>
  );
}

/** Give one's last answers once more, several times over: a loop that the room runs by itself until something else happens. */
function RepeatLoop(): JSX.Element | null {
  const back = useSignal(1);
  const times = useSignal(2);
  const loop = given.value.slice(-back.value);
  const since = loop[0];
  if (!since) return null;
  return (
    <details class="repeat">
      <summary>{say("web.repeat")}</summary>
      <p class="hint">{say("web.repeat_about")}</p>
      <div class="buttons">
        <Stepper
          value={back.value}
          least={1}
          most={given.value.length}
          label={say("web.repeat_answers")}
          set={(value) => {
            back.value = Math.max(1, Math.min(given.value.length, value));
          }}
        />
        <span>{say("web.repeat_answers")}</span>
        <Stepper
          value={times.value}
          least={1}
          most={1000}
          label={say("web.repeat_times")}
          set={(value) => {
            times.value = Math.max(1, Math.min(1000, value));
          }}
        />
        <span>{say("web.repeat_times")}</span>
      </div>
      <ol class="loop">
        {loop.map((one) => (
          <li key={one.question}>{one.words}</li>
        ))}
      </ol>
      <button
        type="button"
        onClick={() => void request({ type: "repeat", since: since.question, times: times.value })}
      >
        {say("web.repeat_go", { times: times.value })}
      </button>
    </details>
  );
}

export function TakeBack(): JSX.Element | null {
  if (room.value?.options.takebacks === "none") return null;
  const did = given.value.at(-1)?.did;
  if (!did && !table.value?.turn) return null;
  return (
    <button type="button" class="quiet" data-takeback onClick={() => void takeBack()}>
      {did ? <Symbols text={say("web.take_back_what", { what: did })} /> : say("web.take_back")}{" "}
      <kbd>{casting.value ? "Esc" : "U"}</kbd>
    </button>
  );
}

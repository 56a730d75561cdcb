// A finished game seen again: the table as it was, and a timeline in the place of the question.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { P } from "../protocol/names.ts";
import { go, linkTo } from "../state/route.ts";
import { link, refusal } from "../state/session.ts";
import { Table } from "../table/Table.tsx";
import { say } from "../words.ts";
import { moment, playing, type ReplayRoute, show, turnFrom } from "./moment.ts";

const PACE_MS = 900;

export function Replay({ at }: { at: ReplayRoute }): JSX.Element {
  const open = link.status.value === "open";
  useEffect(() => {
    if (open) void show(at);
  }, [at, open]);
  const now = moment.value;
  if (!now || now.room !== at.room) {
    return (
      <main class="lobby" id="main">
        <section class="hero">
          <h1>{say("web.replay")}</h1>
          {refusal.value ? (
            <p class="refusal" role="alert">
              {refusal.value.sentence}
            </p>
          ) : (
            <p class="hint">{say("web.replay_hint")}</p>
          )}
          <button type="button" onClick={() => go({ at: "lobby" })}>
            {say("web.to_lobby")}
          </button>
        </section>
      </main>
    );
  }
  const view = now.view as unknown as P.View;
  return <Table view={view} dock={<Timeline now={now} view={view} />} />;
}

function Timeline({ now, view }: { now: P.ReplayMoment; view: P.View }): JSX.Element {
  const seat = now.seat ?? null;
  const to = (step: number) => {
    const at = Math.max(0, Math.min(now.last, step));
    void show({ at: "replay", room: now.room, moment: at, seat });
  };
  const turns = now.turns ?? [];
  useEffect(() => {
    if (!playing.value) return;
    if (now.step >= now.last) {
      playing.value = false;
      return;
    }
    const timer = window.setTimeout(() => to(now.step + 1), PACE_MS);
    return () => window.clearTimeout(timer);
  });
  return (
    <section class="dock timeline" aria-label={say("web.replay")}>
      <h2 class="prompt">{say("web.replay_step", { step: now.step, last: now.last })}</h2>
      <input
        type="range"
        min={0}
        max={now.last}
        value={now.step}
        list="turns"
        aria-label={say("web.timeline")}
        aria-valuetext={say("web.replay_at", { turn: view.turn, step: now.step, last: now.last })}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
      <datalist id="turns">
        {turns.map((step) => (
          <option key={step} value={step} />
        ))}
      </datalist>
      <div class="buttons">
        <Step words="web.turn_before" sign="|◀" go={() => to(turnFrom(now.step, turns, -1))} />
        <Step words="web.step_before" sign="◀" go={() => to(now.step - 1)} />
        <Step
          words={playing.value ? "web.stop" : "web.play"}
          sign={playing.value ? "■" : "▶▶"}
          go={() => {
            playing.value = !playing.value;
          }}
        />
        <Step words="web.step_after" sign="▶" go={() => to(now.step + 1)} />
        <Step words="web.turn_after" sign="▶|" go={() => to(turnFrom(now.step, turns, 1))} />
      </div>
      <Eyes now={now} view={view} />
      <Share />
    </section>
  );
}

function Step({ words, sign, go: press }: { words: string; sign: string; go: () => void }): JSX.Element {
  return (
    <button type="button" title={say(words)} onClick={press}>
      <span aria-hidden="true">{sign}</span>
      <span class="sr">{say(words)}</span>
    </button>
  );
}

/** From whose seat one looks. */
function Eyes({ now, view }: { now: P.ReplayMoment; view: P.View }): JSX.Element {
  return (
    <label class="eyes">
      {say("web.eyes")}
      <select
        value={String(now.seat ?? "")}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          const seat = chosen === "" ? null : Number(chosen);
          void show({ at: "replay", room: now.room, moment: now.step, seat });
        }}
      >
        <option value="">{say("web.eyes_spectator")}</option>
        {Object.entries(view.players).map(([seat, player]) => (
          <option key={seat} value={seat}>
            {player.name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Share(): JSX.Element {
  const copied = useSignal(0);
  const step = moment.value?.step ?? 0;
  const copy = async () => {
    await navigator.clipboard?.writeText(linkTo());
    copied.value = step + 1;
  };
  return (
    <div class="buttons">
      <button type="button" onClick={() => void copy()}>
        {say(copied.value === step + 1 ? "web.copied" : "web.link_moment")}
      </button>
      <button type="button" onClick={() => go({ at: "lobby" })}>
        {say("ui.leave")}
      </button>
    </div>
  );
}

// A few words to all, for those who do not want to type.
import type { JSX } from "preact";
import type { P } from "../protocol/names.ts";
import { emotes } from "../state/extras.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";

const NAMES: P.Emote["emote"][] = [
  "hello",
  "good_luck",
  "nice_play",
  "thanks",
  "thinking",
  "oops",
  "sorry",
  "wow",
  "good_game",
];

export function EmoteButtons(): JSX.Element {
  return (
    <div class="emote-buttons">
      {NAMES.map((emote) => (
        <button key={emote} type="button" onClick={() => void request({ type: "emote", emote })}>
          {say(`web.emote_${emote}`)}
        </button>
      ))}
    </div>
  );
}

export function EmoteOf({ seat }: { seat: number }): JSX.Element | null {
  const last = emotes.value.findLast((one) => one.seat === seat);
  return last ? <span class="emote">{say(`web.emote_${last.emote}`)}</span> : null;
}

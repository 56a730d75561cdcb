// Print and other words for it, one beside the other: of a form before the game and of one in it.
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { say } from "../words.ts";
import { LongField } from "./fields.tsx";

export function Printed({ card, text }: { card: string; text: string }): JSX.Element {
  return (
    <dl class="wording">
      <dt>{say("web.printed", { card })}</dt>
      <dd>{text}</dd>
    </dl>
  );
}

/** The field of the other words, and the button that proposes them once there are some and the form is `ready`. */
export function Wording({ line, ready }: { line: Signal<string>; ready: boolean }): JSX.Element {
  return (
    <>
      <LongField
        label={say("web.wording")}
        value={line.value}
        set={(value) => {
          line.value = value;
        }}
      />
      <div class="buttons">
        <button type="submit" class="primary" disabled={!ready || !line.value.trim()}>
          {say("web.propose")}
        </button>
      </div>
    </>
  );
}

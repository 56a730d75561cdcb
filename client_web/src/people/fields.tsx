// The parts of which forms about people are made: names, codes and passwords.
import type { Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { say } from "../words.ts";

/** Characters that a password has at least, as in `protocol.people`. */
export const SHORTEST = 8;

interface WordProps {
  words: string;
  /** What is typed, kept up as it is. */
  text: Signal<string>;
  autocomplete: string;
  hidden?: boolean;
  least?: number;
  children?: ComponentChildren;
}

/** A line of a form: a word about oneself, or a password. */
export function Word({ words, text, autocomplete, hidden, least, children }: WordProps): JSX.Element {
  const id = useId();
  const common = {
    id,
    autocomplete,
    required: true,
    minLength: least,
    maxLength: 256,
    value: text.value,
    onInput: (event: Event) => {
      text.value = (event.currentTarget as HTMLInputElement).value;
    },
  };
  return (
    <div class="field">
      <label for={id}>{words}</label>
      {hidden ? <input type="password" {...common} /> : <input type="text" {...common} />}
      {children}
    </div>
  );
}

/** The name of an account. */
export function AccountName({ text }: { text: Signal<string> }): JSX.Element {
  return <Word words={say("web.account_name")} autocomplete="username" text={text} />;
}

/** The password that one has. */
export function Password({ words, text }: { words?: string; text: Signal<string> }): JSX.Element {
  return <Word words={words ?? say("web.password")} autocomplete="current-password" hidden text={text} />;
}

/** A password to be set, and how long it must be. */
export function NewPassword({ text }: { text: Signal<string> }): JSX.Element {
  return (
    <Word words={say("web.new_password")} autocomplete="new-password" hidden least={SHORTEST} text={text}>
      <small>{say("web.password_about", { least: SHORTEST })}</small>
    </Word>
  );
}

interface FormProps {
  words: string;
  about?: string;
  ready: boolean;
  onSend: () => void;
  children: ComponentChildren;
}

/** A form with one button; Enter sends it. */
export function Form({ words, about, ready, onSend, children }: FormProps): JSX.Element {
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSend();
      }}
    >
      {about && <p class="hint">{about}</p>}
      {children}
      <button type="submit" class="primary" disabled={!ready}>
        {words}
      </button>
    </form>
  );
}

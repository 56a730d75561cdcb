// Accounts: making one of a guest's name, signing in to one, another password.
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { welcome } from "../state/game.ts";
import { link, request, signIn } from "../state/session.ts";
import { name } from "../state/settings.ts";
import { say } from "../words.ts";

/** Characters that a password has at least, as in `protocol.people`. */
export const SHORTEST = 8;

interface FieldProps {
  words: string;
  value: string;
  onInput: (value: string) => void;
  autocomplete: string;
  hidden?: boolean;
  least?: number;
  children?: ComponentChildren;
}

/** A line of a form: a word about oneself, or a password. */
export function Word(props: FieldProps): JSX.Element {
  const id = useId();
  const common = {
    id,
    autocomplete: props.autocomplete,
    required: true,
    minLength: props.least,
    maxLength: 256,
    value: props.value,
    onInput: (event: Event) => props.onInput((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <div class="field">
      <label for={id}>{props.words}</label>
      {props.hidden ? <input type="password" {...common} /> : <input type="text" {...common} />}
      {props.children}
    </div>
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

/** Sign in to an account by its name and password. */
export function SignIn(): JSX.Element {
  const who = useSignal(name.peek());
  const password = useSignal("");
  return (
    <Form
      words={say("web.sign_in")}
      about={say("web.sign_in_about")}
      ready={who.value.trim() !== "" && password.value !== ""}
      onSend={() => signIn(who.value.trim(), password.value)}
    >
      <Word
        words={say("web.account_name")}
        autocomplete="username"
        value={who.value}
        onInput={(text) => {
          who.value = text;
        }}
      />
      <Word
        words={say("web.password")}
        autocomplete="current-password"
        hidden
        value={password.value}
        onInput={(text) => {
          password.value = text;
        }}
      />
    </Form>
  );
}

/** Keep a guest's name by a password. Where the host invites, that takes the code of an invitation. */
export function SignUp(): JSX.Element {
  const invited = welcome.value?.accounts === "invited";
  const password = useSignal("");
  const code = useSignal("");
  const make = async () => {
    const done = await request({ type: "account", password: password.value, link: code.value.trim() });
    password.value = "";
    if (done) link.dial();
  };
  return (
    <Form
      words={say("web.sign_up")}
      about={say("web.sign_up_about", { name: name.value })}
      ready={password.value.length >= SHORTEST && (!invited || code.value.trim() !== "")}
      onSend={() => void make()}
    >
      <Word
        words={say("web.new_password")}
        autocomplete="new-password"
        hidden
        least={SHORTEST}
        value={password.value}
        onInput={(text) => {
          password.value = text;
        }}
      >
        <small>{say("web.password_about", { least: SHORTEST })}</small>
      </Word>
      {invited && (
        <Word
          words={say("web.link_code")}
          autocomplete="one-time-code"
          value={code.value}
          onInput={(text) => {
            code.value = text;
          }}
        />
      )}
    </Form>
  );
}

/** Another password; every other session ends. */
export function ChangePassword(): JSX.Element {
  const old = useSignal("");
  const next = useSignal("");
  const done = useSignal(false);
  const change = async () => {
    const reply = await request({ type: "password", old: old.value, new: next.value });
    done.value = reply !== null;
    old.value = "";
    next.value = "";
  };
  return (
    <Form
      words={say("web.change_password")}
      ready={old.value !== "" && next.value.length >= SHORTEST}
      onSend={() => void change()}
    >
      <Word
        words={say("web.old_password")}
        autocomplete="current-password"
        hidden
        value={old.value}
        onInput={(text) => {
          old.value = text;
        }}
      />
      <Word
        words={say("web.new_password")}
        autocomplete="new-password"
        hidden
        least={SHORTEST}
        value={next.value}
        onInput={(text) => {
          next.value = text;
        }}
      >
        <small>{say("web.password_about", { least: SHORTEST })}</small>
      </Word>
      {done.value && <p role="status">{say("web.password_changed")}</p>}
    </Form>
  );
}

// Accounts: making one of a guest's name, signing in to one, another password.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { welcome } from "../state/game.ts";
import { link, request, signIn } from "../state/session.ts";
import { name } from "../state/settings.ts";
import { say } from "../words.ts";
import { AccountName, Form, NewPassword, Password, SHORTEST, Word } from "./fields.tsx";

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
      <AccountName text={who} />
      <Password text={password} />
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
      <NewPassword text={password} />
      {invited && <Word words={say("web.link_code")} autocomplete="one-time-code" text={code} />}
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
      <Password words={say("web.old_password")} text={old} />
      <NewPassword text={next} />
      {done.value && <p role="status">{say("web.password_changed")}</p>}
    </Form>
  );
}

// Behind a one-time link of the host's: the name and password of the account that it opens, or a new password for one that is there.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { welcome } from "../state/game.ts";
import { go } from "../state/route.ts";
import { refusal, signIn } from "../state/session.ts";
import { name } from "../state/settings.ts";
import { say } from "../words.ts";
import { AccountName, Form, NewPassword, SHORTEST } from "./fields.tsx";

export function ByLink({ code }: { code: string }): JSX.Element {
  const who = useSignal(name.peek());
  const password = useSignal("");
  const sent = useSignal<typeof welcome.value | undefined>(undefined);
  // A welcome that came after we sent the code is the one that the code has opened.
  const opened = sent.value !== undefined && welcome.value !== sent.value && !refusal.value;
  useEffect(() => {
    if (opened) go({ at: "you" });
  }, [opened]);
  return (
    <main class="lobby" id="main">
      <section class="hero">
        <h1>{say("web.by_link")}</h1>
        <Form
          words={say("web.use_link")}
          about={say("web.by_link_about")}
          ready={who.value.trim() !== "" && password.value.length >= SHORTEST}
          onSend={() => {
            sent.value = welcome.value;
            signIn(who.value.trim(), password.value, code);
          }}
        >
          <AccountName text={who} />
          <NewPassword text={password} />
        </Form>
        <div class="buttons">
          <button type="button" onClick={() => go({ at: "lobby" })}>
            {say("web.to_lobby")}
          </button>
        </div>
      </section>
    </main>
  );
}

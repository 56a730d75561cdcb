// What the server keeps about us: for how long, all of it as a file, and its deletion.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { P } from "../protocol/names.ts";
import { link, request } from "../state/session.ts";
import { say } from "../words.ts";
import { Password } from "./fields.tsx";

export function OwnData({ account }: { account: boolean }): JSX.Element {
  const rules = useSignal<P.PrivacyMessage | null>(null);
  const open = link.status.value === "open";
  useEffect(() => {
    if (open)
      void request<P.PrivacyMessage>({ type: "privacy" }).then((reply) => {
        rules.value = reply;
      });
  }, [open, rules]);
  const told = rules.value;
  return (
    <>
      {told && (
        <ul class="facts">
          <li>{kept("web.kept_journals", told.journal_days)}</li>
          <li>{kept("web.kept_reports", told.report_days)}</li>
          <li>{kept("web.kept_guests", told.guest_days)}</li>
          <li>{say("web.kept_chat", { count: told.chat_lines ?? 0 })}</li>
        </ul>
      )}
      <div class="buttons">
        <button type="button" onClick={() => void download()}>
          {say("web.download_data")}
        </button>
      </div>
      <ForgetMe account={account} />
    </>
  );
}

function kept(key: string, days = 0): string {
  return days ? say(key, { days }) : say(`${key}_always`);
}

/** All that is kept about us, as a file. */
async function download(): Promise<void> {
  const reply = await request<P.MyDataMessage>({ type: "my_data" });
  if (!reply) return;
  const file = URL.createObjectURL(
    new Blob([JSON.stringify(reply.data, null, 2)], { type: "application/json" }),
  );
  const anchor = document.createElement("a");
  anchor.href = file;
  anchor.download = "apnap.json";
  anchor.click();
  URL.revokeObjectURL(file);
}

/** Deleting it all, after a second look and, for an account, its password. */
function ForgetMe({ account }: { account: boolean }): JSX.Element {
  const sure = useSignal(false);
  const password = useSignal("");
  if (!sure.value) {
    return (
      <div class="buttons">
        <button
          type="button"
          onClick={() => {
            sure.value = true;
          }}
        >
          {say("web.forget_me")}
        </button>
      </div>
    );
  }
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        void request({ type: "forget_me", password: password.value });
      }}
    >
      <p class="refusal">{say("web.forget_me_about")}</p>
      {account && <Password text={password} />}
      <div class="buttons">
        <button type="submit">{say("web.forget_me_sure")}</button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            sure.value = false;
          }}
        >
          {say("web.keep_all")}
        </button>
      </div>
    </form>
  );
}

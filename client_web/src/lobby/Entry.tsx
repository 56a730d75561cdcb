// The first lines of the page: who you are. Shown until there is a name, and above every list of rooms.
import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { introduce } from "../state/session.ts";
import { name } from "../state/settings.ts";
import { say } from "../words.ts";

/** The name as it is written now; it is ours once the field is left. */
export const written = signal("");
effect(() => {
  written.value = name.value;
});

/** The name, changed on leaving the field or Enter. */
export function NameField({ autoFocus = false }: { autoFocus?: boolean }): JSX.Element {
  const draft = written;
  const keep = () => {
    const clean = draft.value.trim().replace(/\s+/g, " ");
    if (clean) introduce(clean);
  };
  return (
    <label class="field">
      <span>{say("web.your_name")}</span>
      <input
        name="name"
        autocomplete="nickname"
        maxLength={32}
        required
        // biome-ignore lint/a11y/noAutofocus: the first thing anyone has to say here
        autoFocus={autoFocus}
        value={draft.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
        onBlur={keep}
        onKeyDown={(event) => event.key === "Enter" && keep()}
      />
    </label>
  );
}

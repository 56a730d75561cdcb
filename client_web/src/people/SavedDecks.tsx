// The decks that we keep at the server: chosen for a game where there is one to choose for, renamed, deleted.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { forgetDeck, loadDecks, renameDeck, savedDecks } from "../state/people.ts";
import { link } from "../state/session.ts";
import { say } from "../words.ts";

interface Props {
  /** Play a deck; absent where there is no game to play. */
  play?: (name: string) => void;
  /** Bring a list into the editor; absent where there is none. */
  edit?: (name: string, text: string) => void;
}

export function SavedDecks({ play, edit }: Props): JSX.Element {
  const open = link.status.value === "open";
  useEffect(() => {
    if (open && savedDecks.peek() === null) void loadDecks();
  }, [open]);
  const names = Object.keys(savedDecks.value ?? {}).sort((a, b) => a.localeCompare(b));
  if (!names.length) return <p class="hint">{say("web.saved_none")}</p>;
  return (
    <ul class="rooms saved">
      {names.map((name) => (
        <SavedLine key={name} name={name} play={play} edit={edit} />
      ))}
    </ul>
  );
}

function SavedLine({ name, play, edit }: Props & { name: string }): JSX.Element {
  const renaming = useSignal<string | null>(null);
  const next = renaming.value;
  if (next !== null) {
    return (
      <li>
        <form
          class="buttons"
          onSubmit={(event) => {
            event.preventDefault();
            renaming.value = null;
            if (next.trim()) void renameDeck(name, next.trim());
          }}
        >
          <input
            aria-label={say("web.deck_name")}
            maxLength={64}
            value={next}
            onInput={(event) => {
              renaming.value = event.currentTarget.value;
            }}
          />
          <button type="submit">{say("web.rename")}</button>
        </form>
      </li>
    );
  }
  return (
    <li>
      <strong>{name}</strong>
      <div class="buttons">
        {play && (
          <button type="button" class="primary" onClick={() => play(name)}>
            {say("web.play_saved")}
          </button>
        )}
        {edit && (
          <button type="button" onClick={() => edit(name, savedDecks.value?.[name] ?? "")}>
            {say("web.edit_saved")}
          </button>
        )}
        <button
          type="button"
          aria-label={`${say("web.rename")}: ${name}`}
          onClick={() => {
            renaming.value = name;
          }}
        >
          {say("web.rename")}
        </button>
        <button
          type="button"
          aria-label={`${say("web.delete")}: ${name}`}
          onClick={() => void forgetDeck(name)}
        >
          {say("web.delete")}
        </button>
      </div>
    </li>
  );
}

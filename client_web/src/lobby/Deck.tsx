// Choosing a deck: a house deck by a click, or a list that is pasted, typed or dropped, with what is wrong shown by line.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ManaSymbol } from "../card/Mana.tsx";
import type { P } from "../protocol/names.ts";
import { decks, request } from "../state/session.ts";
import { deckText } from "../state/settings.ts";
import { say } from "../words.ts";

interface Props {
  /** Name of the deck that is chosen. */
  chosen: string;
  /** Whether to be ready as soon as a deck is chosen. */
  ready: boolean;
}

export function DeckPicker({ chosen, ready }: Props): JSX.Element {
  const own = useSignal(chosen === "own");
  const take = async (deck: { house: string } | { text: string }): Promise<boolean> => {
    const done = await request({ type: "deck", ...deck });
    if (done && ready) await request({ type: "ready" });
    return done !== null;
  };
  return (
    <div class="decks">
      <ul class="deck-list">
        {(decks.value?.decks ?? []).map((deck) => (
          <li key={deck.name}>
            <button
              type="button"
              class="deck"
              aria-pressed={deck.name === chosen}
              onClick={() => {
                own.value = false;
                void take({ house: deck.name });
              }}
            >
              <DeckWords deck={deck} />
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            class="deck"
            aria-pressed={chosen === "own"}
            aria-expanded={own.value}
            onClick={() => {
              own.value = !own.value;
            }}
          >
            <strong>{say("web.own_deck")}</strong>
            <small>{say("web.own_deck_about")}</small>
          </button>
        </li>
      </ul>
      {own.value && <OwnDeck take={(text) => take({ text })} />}
    </div>
  );
}

function DeckWords({ deck }: { deck: P.DeckSummary }): JSX.Element {
  return (
    <>
      <span class="deck-head">
        <strong>{deck.name.replaceAll("-", " ")}</strong>
        <span class="cost">
          {[...(deck.colors ?? "")].map((color) => (
            <ManaSymbol key={color} of={color} />
          ))}
        </span>
      </span>
      <small>{deck.text?.replace(/^[^:]*:\s*/, "")}</small>
    </>
  );
}

function OwnDeck({ take }: { take: (text: string) => Promise<boolean> }): JSX.Element {
  const over = useSignal(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    over.value = false;
    const file = event.dataTransfer?.files[0];
    const text = file ? await file.text() : event.dataTransfer?.getData("text/plain");
    if (text) deckText.value = text;
  };
  return (
    <section
      aria-label={say("web.deck_list")}
      class={`own-deck ${over.value ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => {
        over.value = false;
      }}
      onDrop={(event) => void drop(event)}
    >
      <label class="field">
        <span>{say("web.deck_list")}</span>
        <textarea
          rows={14}
          spellcheck={false}
          placeholder={say("web.deck_placeholder")}
          value={deckText.value}
          onInput={(event) => {
            deckText.value = event.currentTarget.value;
          }}
        />
      </label>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={!deckText.value.trim()}
          onClick={() => void take(deckText.value)}
        >
          {say("web.play_this_deck")}
        </button>
        <label class="button">
          {say("web.open_file")}
          <input
            type="file"
            class="hidden"
            accept=".txt,.dec,.dek,.cod,.mwdeck,.csv,.xml,text/plain"
            onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              if (file) deckText.value = await file.text();
            }}
          />
        </label>
      </div>
    </section>
  );
}

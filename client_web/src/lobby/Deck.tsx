// Choosing a deck: a house deck by a click, or a list that is pasted, typed or dropped, with what is wrong shown by line.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ManaSymbol } from "../card/Mana.tsx";
import { SavedDecks } from "../people/SavedDecks.tsx";
import type { P } from "../protocol/names.ts";
import { room } from "../state/game.ts";
import { savedDecks } from "../state/people.ts";
import { houseDecks, request } from "../state/session.ts";
import { deckText } from "../state/settings.ts";
import { say } from "../words.ts";
import { OwnDeck } from "./OwnDeck.tsx";

interface Props {
  /** Name of the deck that is chosen. */
  chosen: string;
  /** Whether to be ready as soon as a deck is chosen. */
  ready: boolean;
}

export function DeckPicker({ chosen, ready }: Props): JSX.Element {
  const own = useSignal(chosen === "own");
  const take = async (deck: { house: string } | { text: string } | { saved: string }): Promise<boolean> => {
    const done = await request({ type: "deck", ...deck });
    if (done && ready) await request({ type: "ready" });
    return done !== null;
  };
  if (own.value) {
    return (
      <div class="decks">
        <button
          type="button"
          onClick={() => {
            own.value = false;
          }}
        >
          {say("web.house_decks")}
        </button>
        <OwnDeck take={(text) => take({ text })} />
        <details class="kept" open={Object.keys(savedDecks.value ?? {}).length > 0}>
          <summary>{say("web.saved_decks")}</summary>
          <SavedDecks
            play={(saved) => void take({ saved })}
            edit={(_, text) => {
              deckText.value = text;
            }}
          />
        </details>
      </div>
    );
  }
  return (
    <div class="decks">
      <ul class="deck-list">
        {houseDecks(room.value?.options).map((deck) => (
          <li key={deck.name}>
            <button
              type="button"
              class="deck"
              aria-pressed={deck.name === chosen}
              onClick={() => void take({ house: deck.name })}
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
            onClick={() => {
              own.value = true;
            }}
          >
            <strong>{say("web.own_deck")}</strong>
            <small>{say("web.own_deck_about")}</small>
          </button>
        </li>
      </ul>
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

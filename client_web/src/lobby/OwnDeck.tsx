// A list of one's own: pasted, typed, dropped or opened, and read by the server while one types, with what is wrong by line.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ManaSymbol } from "../card/Mana.tsx";
import type { P } from "../protocol/names.ts";
import { room } from "../state/game.ts";
import { saveDeck } from "../state/people.ts";
import { request } from "../state/session.ts";
import { deckText } from "../state/settings.ts";
import { say } from "../words.ts";

const PAUSE_MS = 350;
const LONGEST = 16_000;
const TRIES = 4;
const AGAIN_MS = 2000;

export function OwnDeck({ take }: { take: (text: string) => Promise<boolean> }): JSX.Element {
  const over = useSignal(false);
  const report = useSignal<P.DeckReport | null>(null);
  const text = deckText.value;
  const format = room.value?.options.format ?? "constructed";
  const rules = room.value?.options.deck_rules ?? "";
  const rule = room.value?.options.by_hand ?? "never";
  useEffect(() => {
    let stale = false;
    const timer = window.setTimeout(async () => {
      const list = text.slice(0, LONGEST);
      let reply: P.DeckReport | null = null;
      // A server that has much to do may give up reading: it is asked again, or nothing would ever be said of the list.
      for (let tries = 0; list.trim() && !reply && !stale && tries < TRIES; tries += 1) {
        if (tries) await new Promise((done) => window.setTimeout(done, AGAIN_MS));
        if (!stale)
          reply = await request({ type: "check_deck", text: list, format, deck_rules: rules, by_hand: rule });
      }
      if (!stale) report.value = reply;
    }, PAUSE_MS);
    return () => {
      stale = true;
      window.clearTimeout(timer);
    };
  }, [text, format, rules, rule, report]);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    over.value = false;
    const file = event.dataTransfer?.files[0];
    const dropped = file ? await file.text() : event.dataTransfer?.getData("text/plain");
    if (dropped) deckText.value = dropped;
  };
  const faults = report.value?.faults ?? [];
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
      <Verdict report={text.trim() ? report.value : null} />
      <Editor faults={faults} />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={!report.value || faults.length > 0}
          onClick={() => void take(text)}
        >
          {say("web.play_this_deck")}
        </button>
        <Keep text={text} />
        <label class="button">
          {say("web.open_file")}
          <input
            type="file"
            class="sr"
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

/** Keep the list under a name, also while it is not in order yet. */
function Keep({ text }: { text: string }): JSX.Element {
  const naming = useSignal<string | null>(null);
  const name = naming.value;
  if (name === null) {
    return (
      <button
        type="button"
        disabled={!text.trim()}
        onClick={() => {
          naming.value = "";
        }}
      >
        {say("web.keep_deck")}
      </button>
    );
  }
  return (
    <form
      class="buttons"
      onSubmit={(event) => {
        event.preventDefault();
        naming.value = null;
        if (name.trim()) void saveDeck(name.trim(), text.slice(0, LONGEST));
      }}
    >
      <input
        aria-label={say("web.deck_name")}
        placeholder={say("web.deck_name")}
        maxLength={64}
        value={name}
        onInput={(event) => {
          naming.value = event.currentTarget.value;
        }}
      />
      <button type="submit">{say("web.keep_deck")}</button>
    </form>
  );
}

/** The list with its line numbers; the lines with faults are marked. */
function Editor({ faults }: { faults: P.DeckFault[] }): JSX.Element {
  const gutter = useRef<HTMLOListElement>(null);
  const wrong = new Set(faults.map((fault) => fault.line));
  const lines = deckText.value.split("\n");
  return (
    <div class="editor">
      <ol class="gutter" aria-hidden="true" ref={gutter}>
        {lines.map((_, at) => (
          <li key={at} class={wrong.has(at + 1) ? "wrong" : ""}>
            {wrong.has(at + 1) ? "✖" : at + 1}
          </li>
        ))}
      </ol>
      <textarea
        rows={Math.min(24, Math.max(12, lines.length + 1))}
        spellcheck={false}
        wrap="off"
        aria-label={say("web.deck_list")}
        aria-invalid={faults.length > 0}
        aria-describedby="deck-verdict"
        placeholder={say("web.deck_placeholder")}
        value={deckText.value}
        onInput={(event) => {
          deckText.value = event.currentTarget.value;
        }}
        onScroll={(event) => {
          gutter.current?.scrollTo({ top: event.currentTarget.scrollTop });
        }}
      />
    </div>
  );
}

function Verdict({ report }: { report: P.DeckReport | null }): JSX.Element {
  const faults = report?.faults ?? [];
  return (
    <div id="deck-verdict" class="verdict" role="status">
      {report && !faults.length && (
        <p class="fine">
          ✔ {say("web.deck_fine", { cards: report.cards ?? 0, sideboard: report.sideboard ?? 0 })}{" "}
          {[...(report.colors ?? "")].map((color) => (
            <ManaSymbol key={color} of={color} />
          ))}
          {(report.by_hand ?? []).length > 0 && (
            <small> {say("web.deck_by_hand", { names: report.by_hand ?? [] })}</small>
          )}
        </p>
      )}
      {faults.length > 0 && (
        <>
          <p class="refusal">{say("web.deck_faults", { count: faults.length })}</p>
          <ul>
            {faults.map((fault) => (
              <li key={`${fault.line}${fault.text}`}>
                <strong>{fault.line ? say("web.line", { line: fault.line }) : say("web.whole_list")}</strong>{" "}
                {fault.text}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

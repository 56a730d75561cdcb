// The log: what happened, turn by turn, with the number of the rule at work. A damage event unfolds into its three parts.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useRef } from "preact/hooks";
import { CARDS, called } from "../card/printings.ts";
import { byName, type LogLine, log } from "../state/game.ts";
import { known, pieces, say } from "../words.ts";

/** Lines that belong together: one line, or a damage event with its parts (119.4). */
interface Entry {
  id: number;
  turn: number;
  missed: boolean;
  undone: boolean;
  lines: LogLine[];
}

/** Lines shown until earlier ones are asked for: a long log would be most of what a patch costs to paint. Earlier ones go by the
 * dozen, so that a new line mostly moves none of the others, and only what is new is painted. */
const SHOWN = 60;
const GOING = 24;
/** Pixels from the lower end within which one reads the newest lines. */
const NEAR = 30;

const part = (line: LogLine): number => Number(line.event.args?.part ?? 0);

/** Lines in entries: those of a damage event, from its first part to its third, are one. */
export function entriesOf(lines: LogLine[]): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    if (!line.event.key || !known(line.event.key)) continue;
    if (heading(line) && isStep(entries.at(-1)?.lines[0])) entries.pop();
    const last = entries.at(-1);
    const before = last?.lines.at(-1);
    if (last && before && part(line) > 0 && part(before) > 0 && part(before) < 3) last.lines.push(line);
    else
      entries.push({
        id: line.id,
        turn: line.turn,
        missed: line.missed,
        undone: line.undone ?? false,
        lines: [line],
      });
  }
  return entries;
}

/** A line that begins something: a step before it in which nothing happened is left out. */
function heading(line: LogLine): boolean {
  return isStep(line) || line.event.key === "event.turn";
}

function isStep(line: LogLine | undefined): boolean {
  return line?.event.key?.startsWith("event.step.") ?? false;
}

/** What the table did by hand. */
function isByHand(line: LogLine): boolean {
  return line.event.kind === "acted" || line.event.kind === "amended" || line.event.kind === "reworded";
}

export function sentence(line: LogLine): string {
  return say(line.event.key ?? "", line.event.args);
}

/** A line in which each name of a card shows that card. */
function Sentence({ of }: { of: LogLine }): JSX.Element {
  return (
    <>
      {pieces(of.event.key ?? "", of.event.args).map(({ text, place }, at) =>
        place && CARDS.has(place) ? <Names key={`${at}${place}`} text={text} /> : text,
      )}
    </>
  );
}

/** Names of cards and players, parted by commas; a card may have a comma in its name. */
function Names({ text }: { text: string }): JSX.Element {
  const known = byName.peek();
  const parts = known.has(text) ? [text] : text.split(/(, )/);
  return (
    <>
      {parts.map((part, at) =>
        known.has(part) ? (
          <span key={`${at}${part}`} class="card-name" data-card={part}>
            {called(part)}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}

export function LogPanel(): JSX.Element {
  const newest = useRef(true);
  const first = useRef(0);
  const lines = log.value;
  const all = useSignal(false);
  // The list hangs from its lower end, where the scroll position is 0: the browser itself keeps the newest line in sight.
  if (newest.current) first.current = Math.floor(((lines.at(-1)?.id ?? 0) - SHOWN) / GOING) * GOING;
  const shown = all.value ? lines : lines.filter((line) => line.id >= first.current);
  const entries = entriesOf(shown);
  return (
    <section
      class="log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
      tabIndex={0}
      aria-label={say("web.log")}
      onScroll={(event) => {
        newest.current = event.currentTarget.scrollTop > -NEAR;
      }}
    >
      <ol>
        {shown.length < lines.length && (
          <li>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                all.value = true;
              }}
            >
              {say("web.earlier_lines")}
            </button>
          </li>
        )}
        {entries.map((entry) => (
          <EntryLine key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

const EntryLine = memo(
  ({ entry }: { entry: Entry }): JSX.Element => {
    const first = entry.lines[0];
    if (!first) return <li />;
    const turn = first.event.key === "event.turn";
    const classes = [
      turn ? "turn-line" : "",
      isStep(first) ? "step-line" : "",
      entry.missed ? "missed" : "",
      entry.undone ? "undone" : "",
      isByHand(first) ? "hand-line" : "",
    ];
    if (entry.lines.length === 1) {
      return (
        <li class={classes.filter(Boolean).join(" ")}>
          {entry.undone && <span class="sr">{say("web.undone")} </span>}
          <Sentence of={first} /> <Rule of={first} />
        </li>
      );
    }
    const dealt = entry.lines.filter((line) => part(line) === 1);
    return (
      <li class={classes.filter(Boolean).join(" ")}>
        <details>
          <summary>
            {(dealt.length ? dealt : [first]).map((line) => (
              <span key={line.id}>
                <Sentence of={line} />{" "}
              </span>
            ))}
          </summary>
          {[1, 2, 3].map((number) => (
            <Part key={number} number={number} lines={entry.lines.filter((line) => part(line) === number)} />
          ))}
        </details>
      </li>
    );
  },
  (a, b) =>
    a.entry.id === b.entry.id &&
    a.entry.undone === b.entry.undone &&
    a.entry.lines.length === b.entry.lines.length,
);

function Part({ number, lines }: { number: number; lines: LogLine[] }): JSX.Element | null {
  if (!lines.length) return null;
  return (
    <>
      <h3>{say(`ui.part${number}`)}</h3>
      {lines.map((line) => (
        <p key={line.id}>
          <Sentence of={line} /> <Rule of={line} />
        </p>
      ))}
    </>
  );
}

function Rule({ of }: { of: LogLine }): JSX.Element | null {
  return of.event.rule ? <small class="rule">{of.event.rule}</small> : null;
}

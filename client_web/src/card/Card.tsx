// A card in full, from its face and, if it is on the table, from what it is now: the zoom, and lists of cards.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { P } from "../protocol/names.ts";
import { welcome } from "../state/game.ts";
import { say } from "../words.ts";
import { Art } from "./Art.tsx";
import { counters, frame, is, kind, landColors } from "./look.ts";
import { ManaSymbol, Symbols } from "./Mana.tsx";
import { read } from "./printings.ts";

interface Props {
  face: P.Face;
  thing?: P.ObjectView | undefined;
}

/** All that is printed on a card; below it what has changed since. */
export function Card({ face, thing }: Props): JSX.Element {
  const words = read(face);
  const printed = face.power || face.toughness ? `${face.power}/${face.toughness}` : "";
  const now =
    thing?.power !== undefined && is(thing, "creature") ? `${thing.power}/${thing.toughness}` : printed;
  return (
    <article class={`card f-${frame(thing, face)}`}>
      <header>
        <strong>{words.name}</strong>
        {face.cost && (
          <span class="cost">
            <Symbols text={face.cost} />
          </span>
        )}
      </header>
      <Picture face={face} />
      <p class="types">{words.types}</p>
      <div class="rules">
        {!face.text && landColors(face).length > 0 && (
          <p class="rules-mana">
            {landColors(face).map((color) => (
              <ManaSymbol key={color} of={color} />
            ))}
          </p>
        )}
        {linesOf(words).map((line, at) => {
          const hand = isByHand(linesOf(face)[at] ?? "", face);
          return (
            <p key={line} class={hand ? "by-hand" : ""}>
              {hand && <em>{say("web.by_hand")} </em>}
              <Symbols text={line} />
            </p>
          );
        })}
      </div>
      {(now || face.loyalty) && (
        <footer>
          {now && <span class={`pt ${now !== printed ? "changed" : ""}`}>{now}</span>}
          {face.loyalty && <span class="pt">{thing?.loyalty ?? face.loyalty}</span>}
        </footer>
      )}
      {thing && <Now thing={thing} printed={face.text ?? ""} />}
    </article>
  );
}

const linesOf = (face: P.Face): string[] => (face.text ?? "").split("\n").filter(Boolean);

/** Whether a line of the card is of a paragraph that the server does not read. */
function isByHand(line: string, face: P.Face): boolean {
  const plain = line.split(" (")[0] ?? "";
  if (!plain) return false;
  return (face.by_hand ?? []).some((text) => text.replaceAll("\n", " ").includes(plain.replace(/^• /, "")));
}

/** The picture that the host's server has of the card, where one is configured; ours where there is none. */
function Picture({ face }: { face: P.Face }): JSX.Element {
  const missing = useSignal("");
  const source = welcome.value?.pictures;
  if (!source || missing.value === face.name) {
    return <Art name={face.name} kind={kind(face.types ?? "")} types={face.types?.toLowerCase()} fit="cut" />;
  }
  return (
    <img
      class="picture"
      src={source.replaceAll("{name}", encodeURIComponent(face.name))}
      alt=""
      referrerpolicy="no-referrer"
      onError={() => {
        missing.value = face.name;
      }}
    />
  );
}

/** What the table has made of it: state, counters, keywords it did not have, choices. */
function Now({ thing, printed }: { thing: P.ObjectView; printed: string }): JSX.Element | null {
  const words: string[] = [];
  if (thing.tapped) words.push(say("ui.tapped"));
  if (thing.sick && is(thing, "creature")) words.push(say("ui.sick"));
  if (thing.damage) words.push(say("ui.damage", { damage: thing.damage }));
  words.push(...counters(thing));
  const has = printed.toLowerCase();
  words.push(...(thing.keywords ?? []).filter((keyword) => !has.includes(keyword)));
  for (const [what, chosen] of Object.entries(thing.notes ?? {}))
    words.push(chosen && chosen !== "yes" ? `${what}: ${chosen}` : what);
  if (thing.x !== undefined) words.push(`X = ${thing.x}`);
  return words.length ? <p class="now">{words.join(" · ")}</p> : null;
}

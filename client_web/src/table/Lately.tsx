// A strip of what was played lately, the newest first: small pictures in the colours of those who played them. Each shows its card.
import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { Art } from "../card/Art.tsx";
import { frame, kind } from "../card/look.ts";
import { called } from "../card/printings.ts";
import type { P } from "../protocol/names.ts";
import { byName, log } from "../state/game.ts";
import { say } from "../words.ts";

const SHOWN = 4;
/** Lines that are looked through. */
const LOOKED = 250;
const PLAYED = new Set(["event.cast", "event.cast_at", "event.land"]);

export interface Played {
  line: number;
  card: string;
  seat: number;
}

/** Whether a line tells of a card that was played: cast, or put from the hand onto the table as a land. */
function isPlayed({ key = "", args = {} }: P.Event): boolean {
  return PLAYED.has(key) || (key === "event.enter" && args.from === "hand");
}

export const lately = computed<Played[]>(() => {
  const found: Played[] = [];
  const lines = log.value;
  for (let at = lines.length - 1; at >= Math.max(0, lines.length - LOOKED) && found.length < SHOWN; at -= 1) {
    const line = lines[at];
    const { card, seat } = line?.event.args ?? {};
    if (line && isPlayed(line.event) && typeof card === "string" && typeof seat === "number")
      found.push({ line: line.id, card, seat });
  }
  return found;
});

export function Lately({ view }: { view: P.View }): JSX.Element | null {
  const played = lately.value.filter(({ card }) => byName.value.has(card));
  if (!played.length) return null;
  return (
    <section class="lately" aria-label={say("web.lately")}>
      <ol>
        {played.map(({ line, card, seat }) => {
          const face = byName.value.get(card);
          const words = say("web.played", {
            name: called(card),
            player: view.players[String(seat)]?.name ?? "",
          });
          return (
            <li key={line}>
              <button
                type="button"
                class={`played s${seat} f-${frame(undefined, face)}`}
                data-card={card}
                title={words}
              >
                <Art
                  name={card}
                  kind={kind(face?.types ?? "")}
                  types={face?.types?.toLowerCase()}
                  fit="cut"
                />
                <span class="played-name" aria-hidden="true">
                  {called(card)}
                </span>
                <span class="sr">{words}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

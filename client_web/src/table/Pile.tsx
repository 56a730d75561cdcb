// A graveyard or exile, opened: its cards newest first, in the column at the side, so that the board stays in view.
import type { JSX } from "preact";
import { faceOf, nameOf, playerName, spoken } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { marks } from "../questions/current.ts";
import { objectKey } from "../questions/interaction.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import { Tile } from "./Tile.tsx";
import { cardsIn, pile } from "./zones.ts";

export function PilePanel({ view }: { view: P.View }): JSX.Element | null {
  const open = pile.value;
  if (!open) return null;
  const ids = cardsIn(open.zone, open.seat, view);
  return (
    <section class="pile" aria-label={say(`zone.${open.zone}`)}>
      <header>
        <h2>
          {say("web.pile", {
            zone: say(`zone.${open.zone}`),
            name: playerName(open.seat, view),
            count: ids.length,
          })}
        </h2>
        <button
          type="button"
          aria-label={say("web.close")}
          onClick={() => {
            pile.value = null;
          }}
        >
          ×
        </button>
      </header>
      <div class="pile-cards">
        {ids.map((id) => {
          const thing = view.objects?.[id];
          return thing ? (
            <Tile
              key={id}
              ids={id}
              count={1}
              thing={thing}
              face={faceOf(thing, faces.value)}
              name={nameOf(id, view, faces.value)}
              mark={marks.value.get(objectKey(id))}
              label={spoken(id, view, faces.value)}
              fighting=""
              edge={-1}
              cost
            />
          ) : null;
        })}
      </div>
    </section>
  );
}

// Our hand, and the cards elsewhere that may be played from where they are.
import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { faceOf, nameOf, playerName, spoken } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { marks } from "../questions/current.ts";
import { objectKey } from "../questions/interaction.ts";
import { faces, question } from "../state/game.ts";
import { sorted } from "../state/settings.ts";
import { say } from "../words.ts";
import { ordered } from "./hand.ts";
import { Tile } from "./Tile.tsx";

const ELSEWHERE = new Set(["graveyard", "exile", "command", "library"]);

interface Props {
  view: P.View;
}

/** Whose hand is shown: our own, while we decide for a player whom we control theirs. */
const whose = computed(() => question.value?.for_seat);

function Shown({ view }: Props): JSX.Element | null {
  if (view.you === undefined) return null;
  const seat = whose.value ?? view.you;
  const name = seat === view.you ? "" : playerName(seat, view);
  const ids = ordered(view.players[String(seat)]?.hand ?? [], view, faces.value);
  const playable = [...marks.value.keys()]
    .map((key) => key.slice(1))
    .filter((id) => ELSEWHERE.has(view.objects?.[id]?.zone ?? "") && marks.value.has(objectKey(id)));
  return (
    <section class="hand" aria-label={name ? say("web.hand_of", { name }) : say("zone.hand")}>
      {name && <p class="hand-of">{say("web.hand_of", { name })}</p>}
      <div class="fan" style={{ "--cards": Math.max(2, ids.length + playable.length) }}>
        {ids.map((id) => (
          <HandCard key={id} id={id} view={view} />
        ))}
        {playable.length > 0 && (
          <div class="elsewhere">
            {playable.map((id) => (
              <HandCard key={id} id={id} view={view} />
            ))}
          </div>
        )}
      </div>
      {ids.length > 1 && (
        <button
          type="button"
          class="sort-hand"
          aria-pressed={sorted.value}
          title={say("web.sort_hand")}
          onClick={() => {
            sorted.value = !sorted.value;
          }}
        >
          <span aria-hidden="true">⇅</span>
          <span class="sr">{say("web.sort_hand")}</span>
        </button>
      )}
      {!ids.length && !playable.length && <p class="hint empty">{say("web.empty_hand")}</p>}
    </section>
  );
}

/** Whose hands may be shown here: our own, and those of players whom we control. */
function holders(view: P.View): string[] {
  const own = String(view.you);
  return Object.keys(view.players).filter(
    (seat) => seat === own || (view.you !== undefined && view.players[seat]?.controlled_by === view.you),
  );
}

/** Whether the hands look the same; what may be played from elsewhere follows the question's marks by itself. */
function same(a: Props, b: Props): boolean {
  const seats = holders(a.view);
  return (
    a.view.you === b.view.you &&
    seats.join() === holders(b.view).join() &&
    seats.every(
      (seat) =>
        a.view.players[seat]?.hand === b.view.players[seat]?.hand &&
        (a.view.players[seat]?.hand ?? []).every((id) => a.view.objects?.[id] === b.view.objects?.[id]),
    )
  );
}

export const Hand = memo(Shown, same);

function HandCard({ id, view }: { id: string; view: P.View }): JSX.Element | null {
  const thing = view.objects?.[id];
  if (!thing) return null;
  const mark = marks.value.get(objectKey(id));
  const face = faceOf(thing, faces.value);
  const more = [
    face?.cost ?? "",
    thing.zone === "hand" ? "" : say(`zone.${thing.zone}`),
    mark?.can ? say("web.can") : "",
  ];
  return (
    <Tile
      ids={id}
      count={1}
      thing={thing}
      face={face}
      name={nameOf(id, view, faces.value)}
      mark={mark}
      label={spoken(id, view, faces.value, more.filter(Boolean))}
      fighting=""
      edge={-1}
      cost
    />
  );
}

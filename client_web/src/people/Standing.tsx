// Where one person stands on the server's ladders.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { P } from "../protocol/names.ts";
import {
  askRatings,
  between,
  botsOf,
  calledLadder,
  ofBots,
  played,
  ratingOf,
  sureness,
} from "../state/ratings.ts";
import { say } from "../words.ts";

/** What is known of somebody, null until it is told. */
function useStanding(person: string): P.RatingLine[] | null {
  const lines = useSignal<P.RatingLine[] | null>(null);
  useEffect(() => {
    let wanted = true;
    void askRatings(person).then((reply) => {
      if (reply && wanted) lines.value = reply.of ?? [];
    });
    return () => {
      wanted = false;
    };
  }, [person]);
  return lines.value;
}

/** One line for each ladder. */
export function Lines({ lines }: { lines: P.RatingLine[] }): JSX.Element {
  if (!lines.length) return <p class="hint">{say("web.rating_none")}</p>;
  return (
    <ul class="facts">
      {lines.map((line) => (
        <li key={line.ladder}>
          {ofBots(line.ladder) && `${say("web.ratings_bots")}, `}
          {calledLadder(line.ladder)}: <strong>{ratingOf(line)}</strong>{" "}
          <span class="hint">
            {[placed(line), sureness(line), between(line), played(line)].filter(Boolean).join(" · ")}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** At which place of all that are rated there, however far from the first. */
function placed(line: P.RatingLine): string {
  return line.place ? say("web.rating_placed", { place: line.place }) : "";
}

/** On every ladder. */
export function Standing({ person }: { person: string }): JSX.Element {
  const lines = useStanding(person);
  return <div role="status">{lines && <Lines lines={lines} />}</div>;
}

/** On one of them, in few words. */
export function StandingOn({ person, ladder }: { person: string; ladder: string }): JSX.Element | null {
  const lines = useStanding(person);
  if (!lines) return null;
  const found = lines.find((line) => line.ladder === ladder || line.ladder === botsOf(ladder));
  const words = found
    ? say("web.rating_said", { rating: ratingOf(found), sure: sureness(found) })
    : say("web.rating_none");
  return <span class="hint standing"> · {words}</span>;
}

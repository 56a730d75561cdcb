// What is put to the vote, and how to say yes or no; never over the board.
import type { JSX } from "preact";
import { playerName } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { votes } from "../state/extras.ts";
import { request } from "../state/session.ts";
import { say, sayText } from "../words.ts";

export function Votes({ view }: { view: P.View }): JSX.Element | null {
  if (!votes.value.length) return null;
  return (
    <section class="votes" aria-label={say("web.votes")}>
      {votes.value.map((vote) => (
        <VoteLine key={vote.vote} vote={vote} view={view} />
      ))}
    </section>
  );
}

function VoteLine({ vote, view }: { vote: P.Vote; view: P.View }): JSX.Element {
  const mine = view.you !== undefined && (vote.waiting ?? []).includes(view.you);
  const give = (yes: boolean) => void request({ type: "consent", vote: vote.vote, yes });
  const names = (vote.waiting ?? []).map((seat) => playerName(seat, view));
  return (
    <div class="vote" role="alert">
      <p>
        {say(`web.vote_${vote.what}`, {
          name: playerName(vote.by, view),
          minutes: Math.round((vote.ms ?? 0) / 60_000),
          seat: vote.seat === undefined ? "" : playerName(vote.seat, view),
          changes: (vote.changes ?? []).map(sayText).join("; "),
        })}
      </p>
      {mine ? (
        <div class="buttons">
          <button type="button" class="primary" onClick={() => give(true)}>
            {say("web.agree")}
          </button>
          <button type="button" onClick={() => give(false)}>
            {say("web.disagree")}
          </button>
        </div>
      ) : (
        <p class="hint">{say("ui.waiting", { names })}</p>
      )}
    </div>
  );
}

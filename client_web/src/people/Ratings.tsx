// The server's ladders: who is how strong, for each format, bots apart from people.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import type { P } from "../protocol/names.ts";
import { welcome } from "../state/game.ts";
import { askRatings, between, calledLadder, ofBots, played, ratingOf, sureness } from "../state/ratings.ts";
import { link } from "../state/session.ts";
import { say } from "../words.ts";
import { PageHead } from "./PageHead.tsx";
import { Lines } from "./Standing.tsx";

export function Ratings(): JSX.Element {
  const told = useSignal<P.Ratings | null>(null);
  const me = welcome.value?.person ?? "";
  const open = link.status.value === "open" && me !== "";
  const load = async (ladder?: string) => {
    const reply = await askRatings(me, ladder);
    if (reply) told.value = reply;
  };
  useEffect(() => {
    if (open) void load();
  }, [open, me]);
  const ratings = told.value;
  return (
    <main class="lobby" id="main">
      <PageHead title={say("web.ratings")}>
        <p class="hint">{say("web.ratings_about")}</p>
      </PageHead>
      {ratings && (
        <>
          <section class="panel">
            <h2>{say("web.ratings_own")}</h2>
            <Lines lines={ratings.of ?? []} />
          </section>
          <section class="panel ratings">
            <Choice ratings={ratings} choose={(ladder) => void load(ladder)} />
            <Ladder ratings={ratings} me={me} />
          </section>
        </>
      )}
    </main>
  );
}

interface ChoiceProps {
  ratings: P.Ratings;
  choose: (ladder: string) => void;
}

/** Which ladder is shown: people's and bots' in groups of their own. */
function Choice({ ratings, choose }: ChoiceProps): JSX.Element {
  const name = useId();
  const ladders = ratings.ladders ?? [];
  const groups = [
    { words: "web.ratings_people", of: ladders.filter((one) => !ofBots(one)) },
    { words: "web.ratings_bots", of: ladders.filter(ofBots) },
  ];
  return (
    <>
      {groups
        .filter((group) => group.of.length)
        .map((group) => (
          <fieldset key={group.words} class="deck-choice">
            <legend>{say(group.words)}</legend>
            {group.of.map((ladder) => (
              <label key={ladder} class={ladder === ratings.ladder ? "picked" : ""}>
                <input
                  type="radio"
                  name={name}
                  checked={ladder === ratings.ladder}
                  onChange={() => choose(ladder)}
                />
                {calledLadder(ladder)}
              </label>
            ))}
          </fieldset>
        ))}
    </>
  );
}

function Ladder({ ratings, me }: { ratings: P.Ratings; me: string }): JSX.Element {
  const lines = ratings.rated ?? [];
  if (!lines.length) return <p class="hint">{say("ui.ratings_none")}</p>;
  const whose = say(ofBots(ratings.ladder ?? "") ? "web.ratings_bots" : "web.ratings_people");
  const ladder = `${whose}, ${calledLadder(ratings.ladder ?? "")}`;
  return (
    <>
      <p class="hint" role="status">
        {say("web.ratings_told", { ladder, count: lines.length })}
      </p>
      <table>
        <caption class="sr">{ladder}</caption>
        <thead>
          <tr>
            {["web.rating_place", "web.rating_name", "web.rating_number"].map((column) => (
              <th key={column} scope="col">
                {say(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <Line key={line.person} line={line} place={at + 1} mine={line.person === me} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Line({ line, place, mine }: { line: P.RatingLine; place: number; mine: boolean }): JSX.Element {
  return (
    <tr class={mine ? "mine" : ""} aria-current={mine ? "true" : undefined}>
      <td>{place}</td>
      <th scope="row">
        {line.name}
        {mine && <span class="tag">{say("web.rating_mine")}</span>}
      </th>
      <td>
        <strong>{ratingOf(line)}</strong>{" "}
        <small>
          {sureness(line)}, {between(line)}
        </small>
        <small>{played(line)}</small>
      </td>
    </tr>
  );
}

// What is done by hand or proposed, and what people say of it: acts can be objected to, proposals agreed to; never over the board.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { playerName } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { ballots, type Told } from "../state/extras.ts";
import { request } from "../state/session.ts";
import { say, sayText } from "../words.ts";

export function Ballots({ view }: { view: P.View }): JSX.Element | null {
  if (!ballots.value.length) return null;
  return (
    <section class="votes by-hand" aria-label={say("web.ballots")}>
      {ballots.value.map((ballot) => (
        <BallotLine key={ballot.ballot} ballot={ballot} view={view} />
      ))}
    </section>
  );
}

function BallotLine({ ballot, view }: { ballot: Told; view: P.View }): JSX.Element {
  const name = playerName(ballot.by, view);
  /** What is done says by whom, and for which card. */
  const done = ballot.what === "act" ? ballot.changes?.[0] : undefined;
  const say_ = (yes: boolean) => void request({ type: "agree", ballot: ballot.ballot, yes });
  const asked = view.you !== undefined && (ballot.waiting ?? []).includes(view.you);
  return (
    <div class="vote" role="alert" data-ballot={ballot.what}>
      <p>
        {done ? sayText(done) : say(`web.ballot_${ballot.what}`, { name })}
        {ballot.left_ms ? <Countdown ballot={ballot} /> : null}
      </p>
      {!done && <Changes ballot={ballot} />}
      <Tally ballot={ballot} view={view} />
      <div class="buttons">
        {ballot.what === "act" ? (
          <Objection ballot={ballot} view={view} asked={asked} give={say_} />
        ) : (
          <>
            {asked && (
              <button type="button" class="primary" data-agree onClick={() => say_(true)}>
                {say("web.agree")}
              </button>
            )}
            {(asked || ballot.by === view.you) && (
              <button type="button" data-disagree onClick={() => say_(false)}>
                {say(ballot.by === view.you ? "web.withdraw" : "web.disagree")}
              </button>
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** To an act: an objection while it can be made; once somebody has objected, all who are asked say yes or no. */
function Objection(props: {
  ballot: Told;
  view: P.View;
  asked: boolean;
  give: (yes: boolean) => void;
}): JSX.Element | null {
  const { ballot, view, asked, give } = props;
  if (view.you === undefined || view.you === ballot.by) return null;
  if ((ballot.no ?? []).includes(view.you) && !asked) return null;
  if ((ballot.spent ?? []).includes(view.you)) return <p class="hint">{say("web.no_objections")}</p>;
  return (
    <>
      {asked && (
        <button type="button" class="primary" data-agree onClick={() => give(true)}>
          {say("web.let_stand")}
        </button>
      )}
      <button type="button" data-object onClick={() => give(false)}>
        {say("web.object")}
      </button>
    </>
  );
}

/** What would be so; of other words the print, the wording and how it is read, side by side. */
function Changes({ ballot }: { ballot: Told }): JSX.Element {
  const args = ballot.what === "reword" ? ballot.changes?.[0]?.args : undefined;
  if (args) {
    return (
      <dl class="wording">
        <dt>{say("web.printed", { card: String(args.card ?? "") })}</dt>
        <dd>{String(args.text ?? "")}</dd>
        <dt>{say("web.wording")}</dt>
        <dd>{String(args.line ?? "")}</dd>
        <dt>{say("web.understood")}</dt>
        <dd>{String(args.read ?? "")}</dd>
      </dl>
    );
  }
  return (
    <ul>
      {(ballot.changes ?? []).map((text, index) => (
        <li key={index}>{sayText(text)}</li>
      ))}
    </ul>
  );
}

function Tally({ ballot, view }: { ballot: Told; view: P.View }): JSX.Element | null {
  const names = (ballot.waiting ?? []).map((seat) => playerName(seat, view));
  const said = (ballot.what === "act" ? ballot.no : ballot.yes) ?? [];
  const words = [
    ballot.held ? say("web.held") : "",
    ballot.stands ? say("web.stands") : "",
    said.length
      ? say(ballot.what === "act" ? "web.objected_by" : "web.agreed_by", {
          names: said.map((seat) => playerName(seat, view)),
        })
      : "",
    names.length && ballot.what !== "act"
      ? say("ui.waiting", { names })
      : ballot.what !== "act" && !ballot.result
        ? say("web.at_priority")
        : "",
  ];
  return <p class="hint">{words.filter(Boolean).join(" ")}</p>;
}

/** Seconds that are left. */
function Countdown({ ballot }: { ballot: Told }): JSX.Element {
  const left = () => Math.max(0, Math.ceil(((ballot.left_ms ?? 0) - (performance.now() - ballot.at)) / 1000));
  const seconds = useSignal(left());
  useEffect(() => {
    const timer = window.setInterval(() => {
      seconds.value = left();
    }, 500);
    return () => window.clearInterval(timer);
  });
  return (
    <small class="left" aria-hidden="true">
      {" "}
      {seconds.value} s
    </small>
  );
}

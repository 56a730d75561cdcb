// Where questions are asked: always in the same corner, never over the board. One control for each kind.
import type { JSX } from "preact";
import { nameOf, playerName } from "../card/look.ts";
import { Symbols } from "../card/Mana.tsx";
import { AttackDraft } from "../combat/attack.ts";
import { BlockDraft } from "../combat/block.ts";
import { AttackControl, BlockControl } from "../combat/Controls.tsx";
import { DamageControl } from "../combat/Division.tsx";
import { DamageDraft } from "../combat/damage.ts";
import { Score } from "../lobby/Match.tsx";
import type { P } from "../protocol/names.ts";
import { faces, over, room } from "../state/game.ts";
import { passUntil, standing, stopsIn, whoseTurn } from "../state/passing.ts";
import { go } from "../state/route.ts";
import { playAgain, refusal } from "../state/session.ts";
import { isActive } from "../table/teams.ts";
import { known, say, sayText } from "../words.ts";
import { Aside, TakeBack } from "./Aside.tsx";
import {
  ActControl,
  ChooseControl,
  ConfirmControl,
  DefaultControl,
  DivideControl,
  NumberControl,
  OrderControl,
  PaymentControl,
  PriorityControl,
} from "./controls.tsx";
import { draft } from "./current.ts";
import { Deadline } from "./Deadline.tsx";
import {
  ActDraft,
  ChooseDraft,
  ConfirmDraft,
  DivideDraft,
  NumberDraft,
  OrderDraft,
  PaymentDraft,
  PriorityDraft,
} from "./drafts.ts";
import type { Draft } from "./interaction.ts";
import { nextStop } from "./promise.ts";

export function Dock({ view }: { view: P.View }): JSX.Element {
  const now = draft.value;
  return (
    <section
      class={`dock ${now ? "asked" : ""}`}
      aria-label={say("web.question")}
      data-question={now?.question.kind ?? ""}
      data-qid={now?.question.id ?? ""}
    >
      {refusal.value && (
        <p class="refusal" role="alert">
          {refusal.value.sentence} {refusal.value.rule && <small class="rule">{refusal.value.rule}</small>}
        </p>
      )}
      {now ? <Asked now={now} view={view} /> : <Waiting view={view} />}
    </section>
  );
}

function Asked({ now, view }: { now: Draft; view: P.View }): JSX.Element {
  const { question } = now;
  const source = question.source !== undefined ? nameOf(question.source, view, faces.value) : "";
  const words = sayText(question.prompt);
  const on = question.prompt.args?.for;
  return (
    <>
      {typeof on === "string" && <p class="deciding">{say("ui.deciding_for", { name: on })}</p>}
      <h2 class="prompt">
        {source && !words.includes(source) && <span class="source">{source}: </span>}
        <Symbols text={words} />
      </h2>
      <Deadline question={question} />
      <Control now={now} view={view} />
      <Aside now={now} />
    </>
  );
}

function Control({ now, view }: { now: Draft; view: P.View }): JSX.Element {
  if (now instanceof PriorityDraft) return <PriorityControl draft={now} view={view} />;
  if (now instanceof ChooseDraft) return <ChooseControl draft={now} view={view} />;
  if (now instanceof ConfirmDraft) return <ConfirmControl draft={now} view={view} />;
  if (now instanceof NumberDraft) return <NumberControl draft={now} />;
  if (now instanceof OrderDraft) return <OrderControl draft={now} view={view} />;
  if (now instanceof DivideDraft) return <DivideControl draft={now} view={view} />;
  if (now instanceof PaymentDraft) return <PaymentControl draft={now} />;
  if (now instanceof AttackDraft) return <AttackControl draft={now} view={view} />;
  if (now instanceof BlockDraft) return <BlockControl draft={now} view={view} />;
  if (now instanceof DamageDraft) return <DamageControl draft={now} view={view} />;
  if (now instanceof ActDraft) return <ActControl draft={now} view={view} />;
  return <DefaultControl draft={now} />;
}

/** Nothing is asked of us: whom we wait for, or how it ended. */
function Waiting({ view }: { view: P.View }): JSX.Element {
  const result = over.value?.result ?? view.result;
  if (result) return <Ended result={result} view={view} />;
  const others = (view.waiting_for ?? []).filter((seat) => seat !== view.you);
  const names = others.map((seat) => playerName(seat, view));
  const seated = view.you !== undefined && !view.players[String(view.you)]?.lost;
  return (
    <>
      <h2 class="prompt">{names.length ? say("ui.waiting", { names }) : say("ui.wait")}</h2>
      {names.length > 0 && <Why view={view} />}
      {seated && <Next view={view} />}
      {view.you !== undefined && <TakeBack />}
      {seated && <Standing />}
    </>
  );
}

/** What the others are asked about: what is on top of the stack, else the step. */
function Why({ view }: { view: P.View }): JSX.Element | null {
  const top = view.stack?.at(-1);
  if (top) return <p class="hint">{say("web.why_stack", { name: nameOf(top, view, faces.value) })}</p>;
  if (!view.turn) return <p class="hint">{say("web.why_hands")}</p>;
  return (
    <p class="hint">
      {say("web.why_step", { step: `step.${view.step}`, name: playerName(view.active, view) })}
    </p>
  );
}

/** Where the table asks us next; a standing pass says that itself. */
function Next({ view }: { view: P.View }): JSX.Element | null {
  if (standing.value !== "off" || !view.turn) return null;
  const stop = nextStop(view, (seat) => stopsIn(whoseTurn(seat, view)));
  if (!stop) return null;
  const args = { step: `step.${stop.step}`, name: playerName(stop.seat, view) };
  return (
    <p class="hint next-stop">
      {say(
        view.you !== undefined && isActive(view.you, { ...view, active: stop.seat })
          ? "web.next_mine"
          : "web.next_stop",
        args,
      )}
    </p>
  );
}

/** What is passed until, and how to be asked again. */
export function Standing(): JSX.Element | null {
  const until = standing.value;
  if (until === "off") return null;
  return (
    <p class="standing">
      {say(known(`ui.passing_${until}`) ? `ui.passing_${until}` : "web.passing_stack")}{" "}
      <button type="button" onClick={() => void passUntil("off")}>
        {say("web.ask_again")}
      </button>
    </p>
  );
}

/** The replay of the game that has ended, from our own seat. */
function seeAgain(view: P.View): void {
  const here = room.value;
  if (here) go({ at: "replay", room: here.id, moment: 0, seat: view.you ?? null });
}

/** Whether another game of the match follows. */
const goesOn = () => room.value?.match !== undefined && room.value.match.winner === undefined;

function Ended({ result, view }: { result: P.Result; view: P.View }): JSX.Element {
  return (
    <div class="ended">
      <h2 class="prompt">{say("ui.over")}</h2>
      {room.value && <Score room={room.value} />}
      <ol>
        {(result.standings ?? []).map((standing) => (
          <li key={standing.seat}>
            {say("ui.standing", {
              place: standing.place,
              name: playerName(standing.seat, view),
              reason: standing.reason ? say(standing.reason) : "",
              turn: standing.turn ?? 0,
            })}
          </li>
        ))}
      </ol>
      {view.you !== undefined && (
        <div class="buttons">
          <button type="button" class="primary" onClick={() => void playAgain()}>
            {say(goesOn() ? "ui.next_game" : "web.rematch")}
          </button>
          <button type="button" onClick={() => seeAgain(view)}>
            {say("web.see_again")}
          </button>
        </div>
      )}
    </div>
  );
}

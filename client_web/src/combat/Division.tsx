// Dividing combat damage: for each creature a bar of its power over what it is assigned to, with lethal marked.
import type { JSX } from "preact";
import { nameOf } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { Primary, Stepper } from "../questions/controls.tsx";
import { faces } from "../state/game.ts";
import { choiceName } from "../table/Stack.tsx";
import { say } from "../words.ts";
import type { DamageDraft } from "./damage.ts";
import { Foreseen } from "./Foreseen.tsx";

export function DamageControl({ draft, view }: { draft: DamageDraft; view: P.View }): JSX.Element {
  return (
    <>
      <ul class="assigners">
        {draft.question.assigners.map((assigner, at) => (
          <li key={assigner.object}>
            <AssignerBox draft={draft} at={at} assigner={assigner} view={view} />
          </li>
        ))}
      </ul>
      <Foreseen view={view} />
      <div class="buttons">
        <Primary draft={draft}>{say("web.assign")}</Primary>
        <button type="button" onClick={() => draft.clear()}>
          {say("web.as_proposed")}
        </button>
      </div>
    </>
  );
}

interface BoxProps {
  draft: DamageDraft;
  at: number;
  assigner: P.Assigner;
  view: P.View;
}

function AssignerBox({ draft, at, assigner, view }: BoxProps): JSX.Element {
  const wrong = draft.wrong(at);
  const left = assigner.power - draft.sum(at);
  return (
    <fieldset class={wrong ? "wrong" : ""}>
      <legend>
        <span data-zoom={assigner.object}>{nameOf(assigner.object, view, faces.value)}</span>{" "}
        {say("web.power_left", { power: assigner.power, left })}
      </legend>
      {assigner.options.map((choice, option) => {
        const amount = draft.amounts.value[at]?.[option] ?? 0;
        const lethal = assigner.lethal[option] ?? 0;
        const label = choiceName(choice, view);
        const kills = choice.kind === "object" && lethal > 0 && amount >= lethal;
        return (
          <div key={label + String(option)} class={`assign ${kills ? "kills" : ""}`}>
            <span class="assign-name" data-zoom={choice.kind === "object" ? choice.id : undefined}>
              {!assigner.unordered && assigner.options.length > 1 && (
                <span class="order-number">{option + 1}</span>
              )}
              {label}
            </span>
            <Pips amount={amount} lethal={choice.kind === "object" ? lethal : 0} />
            <Stepper
              value={amount}
              least={0}
              most={assigner.power}
              label={label}
              set={(value) => draft.set(at, option, value)}
            />
            <button type="button" class="quiet" disabled={left <= 0} onClick={() => draft.rest(at, option)}>
              {say("web.rest")}
            </button>
            <small class="lethal-words">
              {choice.kind === "object" && lethal > 0
                ? say(kills ? "web.is_lethal" : "ui.lethal", { lethal })
                : ""}
            </small>
          </div>
        );
      })}
      {wrong && (
        <p class="refusal" role="status">
          {say(wrong.key, wrong.args)} <small class="rule">510.1c</small>
        </p>
      )}
    </fieldset>
  );
}

const MOST_PIPS = 12;

/** The amount as pips, with a mark where it becomes lethal. */
function Pips({ amount, lethal }: { amount: number; lethal: number }): JSX.Element {
  const shown = Math.min(Math.max(amount, lethal), MOST_PIPS);
  return (
    <span class="pips" aria-hidden="true">
      {Array.from({ length: shown }, (_, at) => (
        <span key={at} class={`pip ${at < amount ? "on" : ""} ${at + 1 === lethal ? "lethal" : ""}`} />
      ))}
    </span>
  );
}

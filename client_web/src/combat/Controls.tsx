// The docks of attack and block: who goes where, in words, beside the board on which it is drawn.
import type { JSX } from "preact";
import { nameOf, playerName } from "../card/look.ts";
import { Symbols } from "../card/Mana.tsx";
import type { P } from "../protocol/names.ts";
import { Primary, Stepper } from "../questions/controls.tsx";
import type { Draft } from "../questions/interaction.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import type { AttackDraft, Defender } from "./attack.ts";
import type { BlockDraft } from "./block.ts";
import { blockCosts } from "./costs.ts";
import { Foreseen } from "./Foreseen.tsx";

export function AttackControl({ draft, view }: { draft: AttackDraft; view: P.View }): JSX.Element {
  const count = draft.chosen.value.size;
  const selected = draft.selected.value.size;
  const players = draft.players;
  return (
    <>
      <p class="hint">{hint(draft, view)}</p>
      <ul class="defenders">
        {draft.defenders.map((defender) => (
          <li key={defender.key}>
            <button
              type="button"
              class={`defender s${defender.seat}`}
              data-defender={defender.key}
              aria-pressed={draft.aim.value === defender.key}
              onClick={() => draft.pressDefender(defender.key)}
            >
              <kbd class="keycap">{defender.digit}</kbd>
              <span class={`seat-dot s${defender.seat}`}>{defender.seat + 1}</span>
              <span class="defender-name">
                {defenderName(defender, view)}
                <Costs of={draft.costs(defender.key)} />
              </span>
              <span class="defender-count">{draft.count(defender.key) || ""}</span>
            </button>
          </li>
        ))}
      </ul>
      <Split draft={draft} view={view} />
      {(draft.question.required ?? 0) > 0 && (
        <p class="hint">{say("ask.required", { number: draft.question.required ?? 0 })}</p>
      )}
      <Foreseen view={view} />
      <div class="buttons">
        <Primary draft={draft}>{say(count ? "web.attack_with" : "web.no_attack", { count })}</Primary>
        <button type="button" onClick={() => draft.selectAll()}>
          {say("web.all")} <kbd>A</kbd>
        </button>
        {players.length > 1 && (
          <>
            <button type="button" data-weakest onClick={() => draft.allAtWeakest()}>
              {say("web.all_at_weakest")} <kbd>W</kbd>
            </button>
            <button type="button" data-spread onClick={() => draft.spread()}>
              {say("web.spread")} <kbd>S</kbd>
            </button>
          </>
        )}
        {(count > 0 || selected > 0) && (
          <button type="button" onClick={() => draft.clear()}>
            {say("web.clear")}
          </button>
        )}
        {canBand(draft, view) && (
          <button type="button" onClick={() => draft.band()}>
            {say("web.band")}
          </button>
        )}
      </div>
    </>
  );
}

/** How many of the stack of equal ones that was pressed last. */
function Split({ draft, view }: { draft: Draft; view: P.View }): JSX.Element | null {
  const part = draft.portion?.value;
  if (!part) return null;
  const name = nameOf(part.object, view, faces.value);
  return (
    <p class="split">
      <span>{say("web.how_many", { name })}</span>
      <Stepper
        value={part.count}
        least={0}
        most={part.most}
        label={name}
        set={(count) => draft.split?.(Math.max(0, Math.min(part.most, count)))}
      />
      <span class="hint">{say("web.of_most", { most: part.most })}</span>
    </p>
  );
}

/** What a declaration costs, drawn; nothing where it costs nothing. */
function Costs({ of }: { of: string[] }): JSX.Element | null {
  if (!of.length) return null;
  return (
    <small class="cost">
      {" "}
      (<Symbols text={say("ui.costs", { cost: of.join(" / ") })} />)
    </small>
  );
}

function hint(draft: AttackDraft, view: P.View): string {
  const aim = draft.defenders.find((one) => one.key === draft.aim.value);
  if (aim) return say("web.attack_aim", { name: defenderName(aim, view) });
  const selected = draft.selected.value.size;
  if (selected) return say("web.attack_whom", { count: selected });
  return say(draft.defenders.length === 1 ? "web.attack_start_one" : "web.attack_start");
}

export function defenderName(defender: Defender, view: P.View): string {
  if (defender.choice.kind === "object") {
    return `${nameOf(defender.choice.id, view, faces.value)} (${playerName(defender.seat, view)})`;
  }
  return playerName(defender.seat, view);
}

/** Whether a creature with banding is among the selected. */
function canBand(draft: AttackDraft, view: P.View): boolean {
  const picked = [...draft.selected.value].filter((at) => draft.chosen.value.has(at));
  return (
    picked.length > 1 &&
    picked.some((at) => {
      const id = draft.question.attackers[at]?.object ?? "";
      return view.objects?.[id]?.keywords?.some((keyword) => keyword.startsWith("band"));
    })
  );
}

export function BlockControl({ draft, view }: { draft: BlockDraft; view: P.View }): JSX.Element {
  const blocks = [...draft.chosen.value.values()].reduce((sum, ids) => sum + ids.length, 0);
  const selected = draft.selected.value.size;
  const aim = draft.aim.value;
  return (
    <>
      <p class="hint">
        {aim
          ? say("web.block_aim", { name: nameOf(aim, view, faces.value) })
          : say(selected ? "web.block_whom" : "web.block_start", { count: selected })}
      </p>
      <ul class="defenders">
        {draft.attackers.map((id, index) => (
          <AttackerLine key={id} draft={draft} id={id} digit={index + 1} view={view} />
        ))}
      </ul>
      {blockCosts(draft.question.blockers).map(({ id, cost }) => (
        <p key={id} class="hint" data-cost={id}>
          {nameOf(id, view, faces.value)}
          <Costs of={[cost]} />
        </p>
      ))}
      <Split draft={draft} view={view} />
      {(draft.question.required ?? 0) > 0 && (
        <p class="hint">{say("ask.required", { number: draft.question.required ?? 0 })}</p>
      )}
      <Foreseen view={view} />
      <div class="buttons">
        <Primary draft={draft}>{say(blocks ? "web.block_with" : "web.no_block", { count: blocks })}</Primary>
        {(blocks > 0 || selected > 0) && (
          <button type="button" onClick={() => draft.clear()}>
            {say("web.clear")}
          </button>
        )}
      </div>
    </>
  );
}

interface LineProps {
  draft: BlockDraft;
  id: string;
  digit: number;
  view: P.View;
}

/** An attacker that may be blocked, with its size and how many block it. */
function AttackerLine({ draft, id, digit, view }: LineProps): JSX.Element {
  const thing = view.objects?.[id];
  const blockers = [...draft.chosen.value.values()].filter((ids) => ids.includes(id)).length;
  const defender = view.combat?.attackers?.[id]?.defender;
  const target = defender?.kind === "object" ? nameOf(defender.id, view, faces.value) : "";
  return (
    <li>
      <button
        type="button"
        class="defender"
        data-attacker={id}
        data-zoom={id}
        aria-pressed={draft.aim.value === id}
        onClick={() => draft.press([`o${id}`], false)}
      >
        <kbd class="keycap">{digit}</kbd>
        <span class={`seat-dot s${thing?.controller ?? 0}`}>{(thing?.controller ?? 0) + 1}</span>
        <span class="defender-name">
          {nameOf(id, view, faces.value)} {thing?.power}/{thing?.toughness}
          {target && <small> → {target}</small>}
        </span>
        <span class="defender-count">{blockers ? say("web.blockers", { count: blockers }) : ""}</span>
      </button>
    </li>
  );
}

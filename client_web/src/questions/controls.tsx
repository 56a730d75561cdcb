// The controls of the questions that are not combat's.
import type { ComponentChildren, JSX } from "preact";
import { Palette } from "../byhand/Palette.tsx";
import { faceOf, nameOf, playerName } from "../card/look.ts";
import { Symbols } from "../card/Mana.tsx";
import { inWords } from "../card/printings.ts";
import type { Choice, P } from "../protocol/names.ts";
import { faces } from "../state/game.ts";
import { DOES } from "../state/given.ts";
import { passUntil } from "../state/passing.ts";
import { Icon } from "../table/Header.tsx";
import { choiceName } from "../table/Stack.tsx";
import { say } from "../words.ts";
import { pointed } from "./aiming.ts";
import type {
  ActDraft,
  ChooseDraft,
  ConfirmDraft,
  DivideDraft,
  NumberDraft,
  OrderDraft,
  PaymentDraft,
  PriorityDraft,
} from "./drafts.ts";
import { choiceKey, type Draft, sending, submit } from "./interaction.ts";
import { passKey } from "./promise.ts";

/** The button that gives the answer drafted; Enter presses it from anywhere. */
export function Primary({ draft, children }: { draft: Draft; children: ComponentChildren }): JSX.Element {
  const ready = draft.answer.value;
  return (
    <button
      type="button"
      class="primary"
      data-primary
      disabled={!ready || sending.value}
      onClick={() => ready && void submit(draft.question, ready)}
    >
      {children} <kbd>↵</kbd>
    </button>
  );
}

/** An option as a button, tied to its tile by hovering. */
function Option(props: {
  choice: Choice;
  view: P.View;
  label?: string;
  children?: ComponentChildren;
}): JSX.Element {
  const { choice, view } = props;
  const whose =
    choice.kind === "object" && view.objects?.[choice.id] && view.objects[choice.id]?.controller !== view.you
      ? view.players[String(view.objects[choice.id]?.controller)]?.name
      : undefined;
  return (
    <span class="option-words" data-zoom={choice.kind === "object" ? choice.id : undefined}>
      <Symbols text={choiceName(choice, view)} />
      {whose && <small> {whose}</small>}
      {props.children}
    </span>
  );
}

export function PriorityControl({ draft, view }: { draft: PriorityDraft; view: P.View }): JSX.Element {
  const listed = draft.listed().map((index) => ({ index, action: draft.question.actions[index] }));
  const isCall = ({ action }: Listed) => action?.type === "call" && !action.reminded;
  const acts = unlike(
    listed.filter((one) => one.action && !one.action.mana && !isCall(one)),
    view,
  );
  const calls = listed.filter(isCall);
  const mana = listed.filter(({ action }) => action?.mana);
  const top = view.stack?.at(-1);
  const does = say(passKey(view), { name: top ? nameOf(top, view, faces.value) : "" });
  return (
    <>
      <div class="buttons">
        <Primary draft={draft}>{does}</Primary>
        <PassMenu />
      </div>
      {draft.menu.value && (
        <button type="button" class="quiet" onClick={() => draft.clear()}>
          {say("web.all_actions")}
        </button>
      )}
      <ul class="actions">
        {acts.map(({ index, action }) => (
          <ActionLine key={index} draft={draft} index={index} action={action} view={view} />
        ))}
      </ul>
      {calls.length > 0 && (
        <details class="call-actions" open={draft.menu.value !== null}>
          <summary>{say("web.call_actions", { count: calls.length })}</summary>
          <ul class="actions">
            {calls.map(({ index, action }) => (
              <ActionLine key={index} draft={draft} index={index} action={action} view={view} />
            ))}
          </ul>
        </details>
      )}
      {mana.length > 0 && (
        <details class="mana-actions" open={draft.menu.value !== null}>
          <summary>{say("web.mana_abilities", { count: mana.length })}</summary>
          <ul class="actions">
            {mana.map(({ index, action }) => (
              <ActionLine key={index} draft={draft} index={index} action={action} view={view} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface Listed {
  index: number;
  action: P.Action | undefined;
}

/** Equal cards in hand offer the same: it is listed once. */
function unlike(listed: Listed[], view: P.View): Listed[] {
  const seen = new Set<string>();
  return listed.filter(({ action }) => {
    const thing = view.objects?.[action?.object ?? ""];
    if (thing?.zone !== "hand") return true;
    const key = [action?.type, action?.ability, action?.way, action?.text, thing.face].join("|");
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh;
  });
}

function ActionLine(props: {
  draft: PriorityDraft;
  index: number;
  action: P.Action | undefined;
  view: P.View;
}): JSX.Element | null {
  const { draft, index, action, view } = props;
  if (!action) return null;
  const text = inWords(action.text ?? "", faceOf(view.objects?.[action.object ?? ""], faces.value));
  const controller = action.type === "call" ? view.objects?.[action.object ?? ""]?.controller : undefined;
  return (
    <li>
      <button
        type="button"
        class={action.reminded ? "reminded" : ""}
        data-action={index}
        data-zoom={action.object}
        onClick={() => draft.take(index)}
      >
        <Symbols text={say(`ui.action_${action.type}`, { text })} />
        {controller !== undefined && controller !== view.you && (
          <small> {playerName(controller, view)}</small>
        )}
        {action.reminded && <small> {say("web.reminded")}</small>}
      </button>
      {action.type === "cast" && (
        <button
          type="button"
          class="quiet"
          title={say("web.by_hand")}
          aria-label={`${say("web.by_hand")}: ${text}`}
          onClick={() => draft.take(index, true)}
        >
          <Icon name="mana" />
        </button>
      )}
    </li>
  );
}

/** Standing passes. */
function PassMenu(): JSX.Element {
  return (
    <details class="pass-menu">
      <summary>{say("web.pass_until")}</summary>
      <div class="buttons">
        {(["something", "end_of_turn", "my_turn"] as const).map((until) => (
          <button key={until} type="button" onClick={() => void passUntil(until)}>
            {say(`web.until_${until}`)}
          </button>
        ))}
      </div>
    </details>
  );
}

/** What is done to those that are picked, by the purpose of the question. */
const TAKES: Partial<Record<string, string>> = {
  target: "web.do_target",
  sacrifice: "web.do_sacrifice",
  discard: "web.do_discard",
  discard_to_hand_size: "web.do_discard",
  scry: "web.do_bottom",
  bottom: "web.do_bottom",
};

export function ChooseControl({ draft, view }: { draft: ChooseDraft; view: P.View }): JSX.Element {
  const { options, least, most } = draft.question;
  const single = least === 1 && most === 1;
  const picked = draft.picks.value.length;
  return (
    <>
      {!single && (
        <p class="hint">
          {least === most
            ? say("ui.pick_exactly", { picked, most })
            : say("ui.pick_between", { least, most, picked })}
        </p>
      )}
      <ul class="options-list">
        {options.map((choice, index) => {
          const at = draft.picks.value.indexOf(index);
          return (
            <li key={`${index}${choiceKey(choice)}`}>
              <button
                type="button"
                class={pointed.value.has(choiceKey(choice)) ? "pointed" : undefined}
                data-option={index}
                aria-pressed={at >= 0}
                onClick={() => draft.toggle(index)}
              >
                {at >= 0 && most > 1 && <span class="order-number">{at + 1}</span>}
                <Option choice={choice} view={view} />
              </button>
            </li>
          );
        })}
      </ul>
      {!single && (
        <div class="buttons">
          <Primary draft={draft}>
            {say(picked ? (TAKES[draft.question.purpose] ?? "web.take_these") : "web.take_none", {
              count: picked,
            })}
          </Primary>
        </div>
      )}
    </>
  );
}

export function ConfirmControl({ draft, view }: { draft: ConfirmDraft; view: P.View }): JSX.Element {
  const does = DOES[draft.question.purpose];
  const count = view.players[String(draft.question.for_seat ?? view.you)]?.hand?.length ?? 0;
  const give = (yes: boolean) => void submit(draft.question, { kind: "confirm", yes });
  const proposed = draft.question.default.kind === "confirm" && draft.question.default.yes;
  return (
    <div class="buttons">
      {[true, false].map((yes) => (
        <button
          key={String(yes)}
          type="button"
          class={yes === proposed ? "primary" : ""}
          data-primary={yes === proposed ? true : undefined}
          data-yes={String(yes)}
          disabled={sending.value}
          onClick={() => give(yes)}
        >
          {does ? say(does[yes ? 1 : 0], { count }) : say(yes ? "ui.yes" : "ui.no")}{" "}
          <kbd>{say(yes ? "web.key_yes" : "web.key_no")}</kbd>
        </button>
      ))}
    </div>
  );
}

/** A number with a step up and down. */
export function Stepper(props: {
  value: number;
  least: number;
  most: number;
  label: string;
  set: (value: number) => void;
}): JSX.Element {
  const { value, least, most, label, set } = props;
  return (
    <span class="stepper">
      <button
        type="button"
        aria-label={say("web.less", { name: label })}
        disabled={value <= least}
        onClick={() => set(value - 1)}
      >
        −
      </button>
      <input
        type="number"
        aria-label={label}
        value={value}
        min={least}
        max={most}
        onInput={(event) => set(Math.trunc(Number(event.currentTarget.value)) || 0)}
      />
      <button
        type="button"
        aria-label={say("web.more", { name: label })}
        disabled={value >= most}
        onClick={() => set(value + 1)}
      >
        +
      </button>
    </span>
  );
}

export function NumberControl({ draft }: { draft: NumberDraft }): JSX.Element {
  const { least, most } = draft.question;
  return (
    <>
      <p class="hint">{say("ui.from_to", { least, most })}</p>
      <div class="buttons">
        <Stepper
          value={draft.number.value}
          least={least}
          most={most}
          label={say("ask.number")}
          set={(value) => {
            draft.number.value = value;
          }}
        />
        <Primary draft={draft}>{say("web.this_number")}</Primary>
      </div>
    </>
  );
}

export function OrderControl({ draft, view }: { draft: OrderDraft; view: P.View }): JSX.Element {
  const order = draft.order.value;
  return (
    <>
      <ol class="ordering">
        {order.map((index, at) => {
          const choice = draft.question.options[index];
          if (!choice) return null;
          const label = choiceName(choice, view);
          return (
            <li key={index}>
              <span class="order-number">{at + 1}</span>
              <Option choice={choice} view={view} />
              <span class="movers">
                <button
                  type="button"
                  disabled={at === 0}
                  aria-label={say("web.earlier", { name: label })}
                  onClick={() => draft.move(at, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  disabled={at === order.length - 1}
                  aria-label={say("web.later_in_order", { name: label })}
                  onClick={() => draft.move(at, 1)}
                >
                  ↓
                </button>
              </span>
            </li>
          );
        })}
      </ol>
      <div class="buttons">
        <Primary draft={draft}>{say("web.this_order")}</Primary>
      </div>
    </>
  );
}

export function DivideControl({ draft, view }: { draft: DivideDraft; view: P.View }): JSX.Element {
  const { options, least_each: least, amount } = draft.question;
  return (
    <>
      <p class="hint">{say("web.left_to_divide", { left: draft.left.value })}</p>
      <ul class="division">
        {options.map((choice, index) => (
          <li key={choiceKey(choice)}>
            <Option choice={choice} view={view} />
            <Stepper
              value={draft.amounts.value[index] ?? 0}
              least={least}
              most={amount}
              label={choiceName(choice, view)}
              set={(value) => draft.set(index, value)}
            />
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Primary draft={draft}>{say("web.divide")}</Primary>
      </div>
    </>
  );
}

export function ActControl({ draft, view }: { draft: ActDraft; view: P.View }): JSX.Element {
  return (
    <form
      class="act"
      onSubmit={(event) => {
        event.preventDefault();
        const ready = draft.answer.value;
        if (ready && draft.line.value.trim()) void submit(draft.question, ready);
      }}
    >
      <input
        name="act"
        class="line"
        maxLength={300}
        autocomplete="off"
        aria-label={say("web.act_line")}
        placeholder={say("web.act_line")}
        value={draft.line.value}
        onInput={(event) => {
          draft.line.value = event.currentTarget.value;
        }}
      />
      <div class="buttons">
        <button type="submit" class="primary" disabled={!draft.line.value.trim() || sending.value}>
          {say("web.act_do")} <kbd>↵</kbd>
        </button>
        <button type="button" data-done disabled={sending.value} onClick={() => draft.done()}>
          {say("web.act_done")}
        </button>
      </div>
      <Palette key={draft.question.id} draft={draft} view={view} />
      <p class="hint">{say("web.act_hint")}</p>
    </form>
  );
}

export function PaymentControl({ draft }: { draft: PaymentDraft }): JSX.Element {
  const { actions, can_auto: auto } = draft.question;
  return (
    <>
      <div class="buttons">
        {auto && <Primary draft={draft}>{say("web.pay_rest")}</Primary>}
        <button type="button" onClick={() => draft.take(-1)}>
          {say("ui.take_back")}
        </button>
      </div>
      <ul class="actions">
        {actions.map((action, index) => (
          <li key={`${action.object}${action.ability}${action.text}`}>
            <button
              type="button"
              data-action={index}
              data-zoom={action.object}
              onClick={() => draft.take(index + 1)}
            >
              <Symbols text={action.text ?? ""} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** For a question of a kind that this page does not know. */
export function DefaultControl({ draft }: { draft: Draft }): JSX.Element {
  return (
    <div class="buttons">
      <Primary draft={draft}>{say("web.default")}</Primary>
    </div>
  );
}

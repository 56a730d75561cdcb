// The table mends itself: corrections, other words for a paragraph by hand, going back. All of it is proposed, and agreed to.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { englishName, playerName } from "../card/look.ts";
import { type P, STEPS, type Step } from "../protocol/names.ts";
import { faces, room } from "../state/game.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";
import { ChoiceField, NumberField, PlayerField, PointedField, WordsField } from "./fields.tsx";
import { PROPOSED } from "./palette.ts";
import { Printed, Wording } from "./Wording.tsx";

type Change = P.Correct["changes"][number];
type Values = Record<string, string>;

const ZONES = ["battlefield", "graveyard", "exile", "hand", "library", "command"] as const;
/** What can be corrected, and the fields of each. */
const KINDS = {
  life: ["seat", "to"],
  counters: ["target", "counter", "to"],
  damage: ["object", "to"],
  tapped: ["object", "state"],
  move: ["object", "zone"],
  token: ["seat", "line", "to"],
  gone: ["object"],
  turn: ["seat", "step"],
  back: ["moment"],
} as const;
type Kind = keyof typeof KINDS;

/** An object's id as it is written, without its sign. */
const idOf = (text: string | undefined): string => /^#(\d{1,12})$/.exec((text ?? "").trim())?.[1] ?? "";

/** The change that is filled in; null while something is wanting. */
export function changeOf(
  kind: Kind,
  values: Values,
  seatOf: (name: string) => number | undefined,
): Change | null {
  const object = idOf(values.object);
  const seat = Number(values.seat);
  const to = Number(values.to);
  if (values.to !== undefined && !Number.isInteger(to)) return null;
  switch (kind) {
    case "life":
      return { kind, seat, to };
    case "counters": {
      const counter = (values.counter ?? "").trim();
      const on = idOf(values.target);
      const whose = seatOf((values.target ?? "").trim());
      if (!counter) return null;
      return on
        ? { kind, object: on, counter, to }
        : whose === undefined
          ? null
          : { kind, seat: whose, counter, to };
    }
    case "damage":
      return object ? { kind, object, to } : null;
    case "tapped":
      return object ? { kind, object, to: values.state !== "no" } : null;
    case "move": {
      const [zone, bottom] = (values.zone ?? "graveyard").split(" ");
      const place = ZONES.find((one) => one === zone);
      return object && place ? { kind, object, to: place, ...(bottom && { bottom: true }) } : null;
    }
    case "token": {
      const copied = idOf(values.line);
      const line = (values.line ?? "").trim();
      return line ? { kind, seat, count: to, ...(copied ? { object: copied } : { line }) } : null;
    }
    case "gone":
      return object ? { kind, object } : null;
    case "turn":
      return { kind, seat, step: (values.step ?? "precombat_main") as Step };
    case "back":
      return values.moment ? { kind, question: values.moment } : null;
  }
}

export function Mending({ view }: { view: P.View }): JSX.Element | null {
  const open = useSignal(false);
  const rule = room.value?.options.by_hand ?? "never";
  const seated = view.you !== undefined && !view.players[String(view.you)]?.lost && !view.result;
  if (rule === "never" || !seated) return null;
  return (
    <details class="mending" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{say("web.mend")}</summary>
      {open.value && (
        <>
          {room.value?.state === "frozen" && <TakingUp />}
          <Correcting view={view} />
          <Rewording view={view} />
        </>
      )}
    </details>
  );
}

/** A game that a defect of the server has frozen goes on from its last good state. */
function TakingUp(): JSX.Element {
  const propose = (skip: boolean) => void request({ type: "take_up", skip });
  return (
    <div class="buttons">
      <button type="button" class="primary" onClick={() => propose(false)}>
        {say("web.take_up")}
      </button>
      <button type="button" onClick={() => propose(true)}>
        {say("web.take_up_skip")}
      </button>
    </div>
  );
}

function Correcting({ view }: { view: P.View }): JSX.Element {
  const start: Values = {
    seat: String(view.you ?? 0),
    to: "0",
    counter: "+1/+1",
    zone: "graveyard",
    step: "precombat_main",
  };
  const kind = useSignal<Kind>("life");
  const values = useSignal<Values>(start);
  const more = useSignal<Change[]>([]);
  const moments = useSignal<P.Moment[]>([]);
  const seatOf = (name: string) =>
    Object.keys(view.players)
      .map(Number)
      .find((seat) => playerName(seat, view) === name);
  const change = changeOf(kind.value, values.value, seatOf);
  const set = (field: string) => (value: string) => {
    values.value = { ...values.value, [field]: value };
  };
  const choose = async (next: string) => {
    kind.value = next as Kind;
    values.value = { ...start, to: next === "token" ? "1" : "0" };
    if (next === "back") {
      const reply = await request<P.MomentsTold>({ type: "moments" });
      moments.value = reply?.moments ?? [];
      values.value = { ...values.value, moment: moments.value[0]?.question ?? "" };
    }
  };
  const propose = async () => {
    if (!change) return;
    const reply = await request({ type: "correct", changes: [...more.value, change] });
    if (reply) more.value = [];
  };
  return (
    <form
      class="mend"
      data-form="correct"
      onSubmit={(event) => {
        event.preventDefault();
        void propose();
      }}
    >
      <h2>{say("web.correct")}</h2>
      <div class="fields">
        <ChoiceField
          label={say("web.correct_what")}
          value={kind.value}
          set={(next) => void choose(next)}
          options={Object.keys(KINDS).map((one) => [one, say(`web.correct_${one}`)] as const)}
        />
        {KINDS[kind.value].map((field) => (
          <CorrectionField
            key={`${kind.value} ${field}`}
            field={field}
            view={view}
            value={values.value[field] ?? ""}
            set={set(field)}
            moments={moments.value}
          />
        ))}
      </div>
      {more.value.length > 0 && <p class="hint">{say("web.correct_more", { number: more.value.length })}</p>}
      <div class="buttons">
        <button type="submit" class="primary" disabled={!change}>
          {say("web.propose")}
        </button>
        {kind.value !== "back" && (
          <button
            type="button"
            disabled={!change}
            onClick={() => {
              if (change) more.value = [...more.value, change];
            }}
          >
            {say("web.correct_and")}
          </button>
        )}
      </div>
    </form>
  );
}

interface CorrectionProps {
  field: string;
  view: P.View;
  value: string;
  set: (value: string) => void;
  moments: P.Moment[];
}

function CorrectionField({ field, view, value, set, moments }: CorrectionProps): JSX.Element {
  const label = say(`act.field.${field}`);
  switch (field) {
    case "seat":
      return <PlayerField label={label} value={value} set={set} view={view} />;
    case "to":
      return <NumberField label={label} value={value} set={set} least={-1000} />;
    case "object":
    case "target":
      return (
        <PointedField
          label={label}
          value={value}
          set={set}
          view={view}
          active
          activate={() => undefined}
          players={field === "target"}
        />
      );
    case "state":
      return (
        <ChoiceField
          label={label}
          value={value || "yes"}
          set={set}
          options={[
            ["yes", say("ui.yes")],
            ["no", say("ui.no")],
          ]}
        />
      );
    case "zone":
      return (
        <ChoiceField
          label={label}
          value={value}
          set={set}
          options={[
            ...ZONES.map((zone) => [zone, say(`web.to_${zone}`)] as const),
            ["library bottom", say("web.to_bottom")] as const,
          ]}
        />
      );
    case "step":
      return (
        <ChoiceField
          label={label}
          value={value}
          set={set}
          options={STEPS.map((step) => [step, say(`step.${step}`)])}
        />
      );
    case "moment":
      return (
        <ChoiceField
          label={label}
          value={value}
          set={set}
          options={moments.map((one) => [
            one.question,
            say("web.moment", {
              turn: one.turn,
              step: say(`step.${one.step}`),
              name: playerName(one.seat, view),
              what: one.source || say(`web.kind_${one.kind}`),
            }),
          ])}
        />
      );
    default:
      return <WordsField label={label} value={value} set={set} proposed={PROPOSED[field] ?? []} />;
  }
}

/** Other words for a paragraph by hand: print and wording one beside the other. */
function Rewording({ view }: { view: P.View }): JSX.Element {
  const object = useSignal("");
  const text = useSignal("");
  const line = useSignal("");
  const shown = view.objects?.[idOf(object.value)];
  const face = shown?.face !== undefined ? faces.value[shown.face] : undefined;
  const texts = face?.by_hand ?? [];
  const asked = useSignal(false);
  useEffect(() => {
    if (!texts.includes(text.value)) text.value = texts[0] ?? "";
  });
  return (
    <form
      class="mend"
      data-form="reword"
      onSubmit={(event) => {
        event.preventDefault();
        void request({
          type: "reword",
          object: idOf(object.value),
          line: line.value.trim(),
          text: text.value,
        }).then((reply) => {
          if (reply) line.value = "";
        });
      }}
    >
      <h2>{say("web.reword")}</h2>
      <p class="hint">{say("web.reword_hint")}</p>
      <div class="fields">
        <PointedField
          label={say("act.field.object")}
          value={object.value}
          set={(value) => {
            object.value = value;
          }}
          view={view}
          active={asked.value}
          activate={() => {
            asked.value = true;
          }}
        />
        {texts.length > 1 && (
          <ChoiceField
            label={say("web.paragraph")}
            value={text.value}
            set={(value) => {
              text.value = value;
            }}
            options={texts.map((one) => [one, one.slice(0, 60)])}
          />
        )}
      </div>
      {object.value && (
        <Printed
          card={englishName(idOf(object.value), view, faces.value)}
          text={text.value || say("web.nothing_by_hand")}
        />
      )}
      <Wording line={line} ready={text.value !== ""} />
    </form>
  );
}

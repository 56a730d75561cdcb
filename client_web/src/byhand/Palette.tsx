// Acts to choose from, in the language of the page: what is filled in makes a line of rules English, which is what is sent.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { playerName } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import type { ActDraft } from "../questions/drafts.ts";
import { known, say } from "../words.ts";
import { NumberField, PlayerField, PointedField, WordsField } from "./fields.tsx";
import { compose, fieldsOf, PALETTE, POINTED, proposed, type Values } from "./palette.ts";

export function Palette({ draft, view }: { draft: ActDraft; view: P.View }): JSX.Element {
  const me = view.you ?? 0;
  const act = useSignal("");
  const way = useSignal("");
  const asked = useSignal("");
  const values = useSignal<Values>({});
  const line = PALETTE[act.value]?.[way.value] ?? "";
  const fields = fieldsOf(line);
  const write = (next: Values) => {
    values.value = next;
    const made = compose(PALETTE[act.value]?.[way.value] ?? "", next, me, (seat) => playerName(seat, view));
    if (made) draft.line.value = made;
  };
  /** The others make room for the fields of the one that is pressed; pressed again, all are there. */
  const shown = Object.keys(PALETTE).filter((name) => !act.value || act.value === name);
  const leave = () => {
    act.value = "";
  };
  const choose = (name: string, how: string) => {
    act.value = name;
    way.value = how;
    asked.value = fieldsOf(PALETTE[name]?.[how] ?? "").find((field) => POINTED.has(field)) ?? "";
    write({
      who: String(me),
      number: "1",
      sides: "20",
      size: "+1/+1",
      counter: "+1/+1",
      keyword: "flying",
      mana: "{G}",
    });
  };
  const set = (field: string) => (value: string) => write({ ...values.value, [field]: value });
  return (
    <fieldset class="palette">
      <legend>{say("act.choose")}</legend>
      <div class="acts">
        {shown.map((name) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-pressed={act.value === name}
            data-act={name}
            onClick={() => (act.value ? leave() : choose(name, Object.keys(PALETTE[name] ?? {})[0] ?? ""))}
          >
            {say(`act.${name}`)}
          </button>
        ))}
      </div>
      {act.value && Object.keys(PALETTE[act.value] ?? {}).length > 1 && (
        <div class="acts ways">
          {Object.keys(PALETTE[act.value] ?? {}).map((how) => (
            <button
              key={how}
              type="button"
              class="quiet"
              aria-pressed={way.value === how}
              data-way={how}
              onClick={() => way.value !== how && choose(act.value, how)}
            >
              {say(`act.${act.value}.${how || "plain"}`)}
            </button>
          ))}
        </div>
      )}
      {line && (
        <div class="fields">
          {fields.map((field) => {
            const common = {
              key: field,
              label: say(known(`act.field.${field}`) ? `act.field.${field}` : field),
              value: values.value[field] ?? "",
              set: set(field),
            };
            if (POINTED.has(field))
              return (
                <PointedField
                  {...common}
                  view={view}
                  active={asked.value === field}
                  activate={() => {
                    asked.value = field;
                  }}
                  several={field === "object"}
                  players={field === "target"}
                />
              );
            if (field === "who") return <PlayerField {...common} view={view} />;
            if (field === "number") return <NumberField {...common} />;
            return <WordsField {...common} proposed={proposed(act.value, field)} />;
          })}
        </div>
      )}
    </fieldset>
  );
}

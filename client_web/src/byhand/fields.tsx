// Fields of what is done by hand: pointed at on the table, counted, chosen. Each is usable by keyboard alone.
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { nameOf, playerName } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import { pointing, written } from "./pointing.ts";

interface FieldProps {
  label: string;
  value: string;
  set: (value: string) => void;
}

/** What can be pointed at, as words; while `active`, what is pressed on the table comes here. */
export function PointedField(
  props: FieldProps & {
    view: P.View;
    active: boolean;
    activate: () => void;
    several?: boolean;
    players?: boolean;
  },
): JSX.Element {
  const { view, value, several, players, active } = props;
  const list = useId();
  useEffect(() => {
    if (!active) return undefined;
    const take = (key: string) => {
      const word = players || key.startsWith("o") ? written(key, (seat) => playerName(seat, view)) : "";
      const before = several
        ? value
            .trim()
            .split(/\s+/)
            .filter((one) => one && one !== word)
        : [];
      if (word) props.set([...before, word].join(" "));
    };
    pointing.value = take;
    return () => {
      if (pointing.peek() === take) pointing.value = null;
    };
  });
  const objects = Object.keys(view.objects ?? {});
  return (
    <label class={`field ${active ? "pointing" : ""}`}>
      <span>{props.label}</span>
      <input
        list={list}
        value={value}
        autocomplete="off"
        placeholder={say("web.press_it")}
        onFocus={props.activate}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
      <datalist id={list}>
        {players &&
          Object.keys(view.players).map((seat) => (
            <option key={seat} value={playerName(Number(seat), view)} />
          ))}
        {objects.map((id) => (
          <option key={id} value={`#${id}`} label={nameOf(id, view, faces.value)} />
        ))}
      </datalist>
    </label>
  );
}

export function PlayerField(props: FieldProps & { view: P.View }): JSX.Element {
  return (
    <label class="field">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.set(event.currentTarget.value)}>
        {Object.entries(props.view.players)
          .filter(([, player]) => !player.lost)
          .map(([seat]) => (
            <option key={seat} value={seat}>
              {playerName(Number(seat), props.view)}
            </option>
          ))}
      </select>
    </label>
  );
}

export function NumberField(props: FieldProps & { least?: number }): JSX.Element {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        type="number"
        min={props.least ?? 1}
        max={1000}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
    </label>
  );
}

/** Words of one's own, with some that are proposed. */
export function WordsField(props: FieldProps & { proposed?: string[] }): JSX.Element {
  const list = useId();
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        list={list}
        maxLength={120}
        autocomplete="off"
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
      <datalist id={list}>
        {(props.proposed ?? []).map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </label>
  );
}

export function LongField(props: FieldProps): JSX.Element {
  return (
    <label class="field">
      <span>{props.label}</span>
      <textarea
        maxLength={600}
        rows={3}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
    </label>
  );
}

export function ChoiceField(
  props: FieldProps & { options: readonly (readonly [string, string])[] },
): JSX.Element {
  return (
    <label class="field">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.set(event.currentTarget.value)}>
        {props.options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

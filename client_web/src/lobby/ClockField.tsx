// The clock of a room: which kind, and its times, in seconds and minutes.
import type { JSX } from "preact";
import type { P } from "../protocol/names.ts";
import { say } from "../words.ts";

type Clock = NonNullable<P.RoomOptions["clock"]>;
type Kind = "none" | Clock["kind"];

const KINDS: Kind[] = ["none", "decision", "chess", "bank"];
const STARTS: Record<Clock["kind"], Clock> = {
  decision: { kind: "decision", ms: 60_000 },
  chess: { kind: "chess", ms: 1_200_000, increment_ms: 5_000 },
  bank: { kind: "bank", ms: 600_000, grace_ms: 20_000 },
};

interface Props {
  clock: Clock | undefined;
  onChange: (clock: Clock | undefined) => void;
}

export function ClockField({ clock, onChange }: Props): JSX.Element {
  return (
    <fieldset class="field clock-field">
      <legend>{say("web.option_clock")}</legend>
      <select
        aria-label={say("web.option_clock")}
        value={clock?.kind ?? "none"}
        onChange={(event) => {
          const kind = event.currentTarget.value as Kind;
          onChange(kind === "none" ? undefined : STARTS[kind]);
        }}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {say(`web.clock_${kind}`)}
          </option>
        ))}
      </select>
      {clock && <Times clock={clock} onChange={onChange} />}
      <small>{say("web.about_clock")}</small>
    </fieldset>
  );
}

function Times({ clock, onChange }: { clock: Clock; onChange: (clock: Clock) => void }): JSX.Element {
  return (
    <div class="buttons">
      <Seconds label="ms" value={clock.ms} least={1} onChange={(ms) => onChange({ ...clock, ms })} />
      {clock.kind === "chess" && (
        <Seconds
          label="increment"
          value={clock.increment_ms ?? 0}
          least={0}
          onChange={(ms) => onChange({ ...clock, increment_ms: ms })}
        />
      )}
      {clock.kind === "bank" && (
        <Seconds
          label="grace"
          value={clock.grace_ms ?? 10_000}
          least={0}
          onChange={(ms) => onChange({ ...clock, grace_ms: ms })}
        />
      )}
    </div>
  );
}

interface SecondsProps {
  label: string;
  value: number;
  least: number;
  onChange: (ms: number) => void;
}

function Seconds({ label, value, least, onChange }: SecondsProps): JSX.Element {
  return (
    <label class="seconds">
      <input
        type="number"
        min={least}
        max={label === "ms" ? 86_400 : 600}
        value={Math.round(value / 1000)}
        onChange={(event) => {
          const typed = Math.trunc(Number(event.currentTarget.value)) || least;
          onChange(Math.max(least, Math.min(label === "ms" ? 86_400 : 600, typed)) * 1000);
        }}
      />
      {say(`web.clock_${label}`)}
    </label>
  );
}

// The teams of a room (808): none, two or more of them in the order of the seats, or each seat's team by hand.
import type { JSX } from "preact";
import { say } from "../words.ts";

interface Props {
  /** The team of each seat; empty: each plays for itself. */
  teams: number[];
  seats: number;
  onChange: (teams: number[] | undefined) => void;
}

export function TeamsField({ teams, seats, onChange }: Props): JSX.Element {
  const on = teams.length > 0;
  const most = Math.max(2, Math.min(10, seats));
  return (
    <fieldset class="field clock-field">
      <legend>{say("web.option_teams")}</legend>
      <select
        aria-label={say("web.option_teams")}
        value={on ? "teams" : ""}
        onChange={(event) => {
          const chosen = event.currentTarget.value !== "";
          onChange(chosen ? Array.from({ length: seats }, (_, seat) => seat % 2) : undefined);
        }}
      >
        <option value="">{say("web.teams_none")}</option>
        <option value="teams">{say("web.teams_some")}</option>
      </select>
      {on && (
        <div class="teams">
          {Array.from({ length: seats }, (_, seat) => (
            <label key={seat} class="seconds">
              {say("ui.seat", { seat: seat + 1 })}
              <select
                value={String(teams[seat] ?? 0)}
                onChange={(event) => {
                  const next = Array.from({ length: seats }, (_, at) => teams[at] ?? 0);
                  next[seat] = Number(event.currentTarget.value);
                  onChange(next);
                }}
              >
                {Array.from({ length: most }, (_, team) => (
                  <option key={team} value={team}>
                    {say("web.team", { team: team + 1 })}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      )}
      <small>{say("web.about_teams")}</small>
    </fieldset>
  );
}

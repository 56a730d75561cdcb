// All stops at once: for each step, whether one wants to be asked in one's own turns, in others', in those of a single player.
import type { JSX } from "preact";
import { playerName } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { STEPS } from "../protocol/names.ts";
import { NO_STOPS } from "../questions/promise.ts";
import { setApart, stops, stopsIn, toggleStop, type Whose } from "../state/passing.ts";
import { say } from "../words.ts";
import { othersOf } from "./order.ts";

const OFFERED = STEPS.filter((step) => !NO_STOPS.includes(step));

export function StopsPanel({ view }: { view: P.View }): JSX.Element {
  const others = othersOf(view).filter((seat) => !view.players[String(seat)]?.lost);
  return (
    <details class="menu stops-menu">
      <summary>{say("web.stops")}</summary>
      <div class="menu-box">
        <p class="hint">{say("web.stops_about")}</p>
        <table class="stops">
          <thead>
            <tr>
              <td />
              {OFFERED.map((step) => (
                <th key={step} scope="col" title={say(`step.${step}`)}>
                  {say(`web.step_${step}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <StopsRow whose="mine" name={say("web.stops_mine")} />
            <StopsRow whose="others" name={say("web.stops_others")} />
            {others.map((seat) => (
              <SeatRow key={seat} seat={seat} name={playerName(seat, view)} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function StopsRow({ whose, name }: { whose: Whose; name: string }): JSX.Element {
  const set = stopsIn(whose);
  return (
    <tr>
      <th scope="row">{name}</th>
      {OFFERED.map((step) => (
        <td key={step}>
          <input
            type="checkbox"
            aria-label={`${name}: ${say(`step.${step}`)}`}
            checked={set.includes(step)}
            onChange={() => toggleStop(whose, step)}
          />
        </td>
      ))}
    </tr>
  );
}

/** One player, whose turns go with all others' until they are set apart. */
function SeatRow({ seat, name }: { seat: number; name: string }): JSX.Element {
  const apart = seat in stops.value.seats;
  const button = (
    <button type="button" class="quiet" aria-pressed={apart} onClick={() => setApart(seat, !apart)}>
      {say(apart ? "web.stops_together" : "web.stops_apart", { name })}
    </button>
  );
  return (
    <>
      {apart && <StopsRow whose={seat} name={name} />}
      <tr>
        <td colSpan={OFFERED.length + 1}>{button}</td>
      </tr>
    </>
  );
}

// The bar at the top: turn, phases with their stops, what we pass until, and the menu.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { playerName } from "../card/look.ts";
import { inEnglish, translated } from "../card/printings.ts";
import type { P } from "../protocol/names.ts";
import { STEPS, type Step } from "../protocol/names.ts";
import { NO_STOPS } from "../questions/promise.ts";
import { room } from "../state/game.ts";
import { stopsIn, toggleStop, type Whose, whoseTurn } from "../state/passing.ts";
import { say } from "../words.ts";
import { Menu } from "./Menu.tsx";
import { StopsPanel } from "./StopsPanel.tsx";
import { activeSeats } from "./teams.ts";

export function TopBar({ view }: { view: P.View }): JSX.Element {
  const seated = view.you !== undefined && !view.players[String(view.you)]?.lost;
  return (
    <header class="topbar">
      <h1 class="turn">
        <strong>{view.turn ? say("web.turn", { turn: view.turn }) : say("ui.before")}</strong>
        {view.turn > 0 &&
          activeSeats(view).map((seat) => (
            <span key={seat} class={`ink-${seat}`}>
              {playerName(seat, view)}
            </span>
          ))}
        {view.turn > 0 && (
          <span class="step-now" aria-hidden="true">
            {say(`web.step_${view.step}`)}
          </span>
        )}
        {room.value?.options.rated && (
          <span class="tag rated" title={say("web.about_rated_game")}>
            {say("web.rated")}
          </span>
        )}
        {view.subgame ? (
          <span class="tag subgame" title={say("web.about_subgame")}>
            {say("ui.subgame")}
          </span>
        ) : null}
      </h1>
      <PhaseBar step={view.turn ? view.step : ""} whose={whoseTurn(view.active, view)} seated={seated} />
      <English />
      {seated && <StopsPanel view={view} />}
      <Menu view={view} />
    </header>
  );
}

/** Cards in English, and back; where the cards have words in the language of the page. */
function English(): JSX.Element | null {
  if (!translated()) return null;
  return (
    <button
      type="button"
      class="english"
      aria-pressed={inEnglish.value}
      aria-label={say("web.cards_in_english")}
      title={say("web.cards_in_english")}
      onClick={() => {
        inEnglish.value = !inEnglish.value;
      }}
    >
      EN
    </button>
  );
}

interface BarProps {
  step: string;
  whose: Whose;
  seated: boolean;
}

/** Every step; a click sets a stop for turns like this one: one's own, or those of others. */
const PhaseBar = memo(({ step: now, whose, seated }: BarProps): JSX.Element => {
  const set = seated ? stopsIn(whose) : [];
  return (
    <ol class="phases" aria-label={say("web.phases")}>
      {STEPS.map((step) => (
        <li key={step} class={`phase ${step === now ? "now" : ""} ${set.includes(step) ? "stop" : ""}`}>
          <StepButton
            step={step}
            now={step === now}
            stop={set.includes(step)}
            whose={whose}
            seated={seated}
          />
        </li>
      ))}
    </ol>
  );
});

interface StepProps {
  step: Step;
  now: boolean;
  stop: boolean;
  whose: Whose;
  seated: boolean;
}

function StepButton({ step, now, stop, whose, seated }: StepProps): JSX.Element {
  const words = say(`step.${step}`);
  const current = now ? "step" : undefined;
  if (!seated || NO_STOPS.includes(step)) {
    return (
      <span class="step" aria-current={current} title={words}>
        {say(`web.step_${step}`)}
      </span>
    );
  }
  const about = `${words}. ${say(typeof whose === "number" ? "web.stop_seat" : `web.stop_${whose}`)}`;
  return (
    <button
      type="button"
      class="step"
      aria-current={current}
      aria-pressed={stop}
      title={about}
      onClick={() => toggleStop(whose, step)}
    >
      {say(`web.step_${step}`)}
      <span class="sr">{about}</span>
    </button>
  );
}

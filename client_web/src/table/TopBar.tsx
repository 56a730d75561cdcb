// The bar at the top: turn, phases with their stops, what we pass until, and the menu.
import type { JSX } from "preact";
import { playerName } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { STEPS, type Step } from "../protocol/names.ts";
import { stops, toggleStop } from "../state/passing.ts";
import { say } from "../words.ts";
import { Menu } from "./Menu.tsx";

export function TopBar({ view }: { view: P.View }): JSX.Element {
  return (
    <header class="topbar">
      <h1 class="turn">
        <strong>{view.turn ? say("web.turn", { turn: view.turn }) : say("ui.before")}</strong>
        {view.turn > 0 && <span class={`ink-${view.active}`}>{playerName(view.active, view)}</span>}
      </h1>
      <PhaseBar view={view} />
      <Menu view={view} />
    </header>
  );
}

/** Every step; a click sets a stop for turns like this one: one's own, or those of others. */
function PhaseBar({ view }: { view: P.View }): JSX.Element {
  const seated = view.you !== undefined;
  const whose = view.active === view.you ? "mine" : "others";
  const set = stops.value[whose];
  return (
    <ol class="phases" aria-label={say("web.phases")}>
      {STEPS.map((step) => (
        <li key={step} class={`phase ${step === view.step ? "now" : ""} ${set.includes(step) ? "stop" : ""}`}>
          <StepButton
            step={step}
            now={step === view.step}
            stop={set.includes(step)}
            whose={whose}
            seated={seated}
          />
        </li>
      ))}
    </ol>
  );
}

interface StepProps {
  step: Step;
  now: boolean;
  stop: boolean;
  whose: "mine" | "others";
  seated: boolean;
}

function StepButton({ step, now, stop, whose, seated }: StepProps): JSX.Element {
  const words = say(`step.${step}`);
  const current = now ? "step" : undefined;
  if (!seated || step === "untap" || step === "cleanup") {
    return (
      <span class="step" aria-current={current} title={words}>
        {say(`web.step_${step}`)}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="step"
      aria-current={current}
      aria-pressed={stop}
      title={`${words}. ${say(`web.stop_${whose}`)}`}
      onClick={() => toggleStop(whose, step)}
    >
      {say(`web.step_${step}`)}
      <span class="sr">
        {words}. {say(`web.stop_${whose}`)}
      </span>
    </button>
  );
}

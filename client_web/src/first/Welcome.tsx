// Who comes for the first time: what this is, with a table before their eyes, and a way in that takes two minutes.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Arrows } from "../combat/Arrows.tsx";
import type { P } from "../protocol/names.ts";
import { learn } from "../state/game.ts";
import type { Fate } from "../table/fight.ts";
import { Mat } from "../table/Mat.tsx";
import type { Hovered } from "../table/pointer.ts";
import { say } from "../words.ts";
import { beginTour } from "./tour.ts";

const BEAT_MS = 1800;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const NO_FATES: ReadonlyMap<string, Fate> = new Map();

export function Welcome(): JSX.Element {
  return (
    <section class="welcome panel" aria-label={say("web.welcome")}>
      <h2>{say("web.welcome")}</h2>
      <ul class="welcome-points">
        {["rules", "watch", "free"].map((point) => (
          <li key={point}>{say(`web.welcome_${point}`)}</li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" class="primary" data-tour onClick={() => void beginTour()}>
          {say("web.tour_begin")}
        </button>
        <span class="hint">{say("web.tour_about")}</span>
      </div>
      <Showing />
    </section>
  );
}

/** The table that is shown. It can be stopped, and stands still for who wants no motion. */
function Showing(): JSX.Element {
  const view = useSignal<P.View | null>(null);
  const runs = useSignal(!STILL.matches);
  const beat = useRef(0);
  const root = useRef<HTMLDivElement>(null);
  const hovered = useSignal<Hovered | null>(null);
  useEffect(() => {
    let timer = 0;
    let gone = false;
    void import("./demonstration.ts").then(({ FACES, beginning, after }) => {
      if (gone) return;
      learn(FACES);
      view.value = beginning();
      timer = window.setInterval(() => {
        if (!runs.peek() || !view.value || document.visibilityState === "hidden") return;
        beat.current += 1;
        view.value = after(view.value, beat.current);
      }, BEAT_MS);
    });
    return () => {
      gone = true;
      window.clearInterval(timer);
    };
  }, [view, runs]);
  const now = view.value;
  return (
    <div class="showing">
      <p class="hint">{say("web.showing")}</p>
      <div class="showing-mats" inert ref={root}>
        {now?.order?.map((seat) => (
          <Mat key={seat} seat={seat} view={now} own={seat > 1} fates={NO_FATES} />
        ))}
        {now && <Arrows view={now} root={root} hovered={hovered} />}
      </div>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          runs.value = !runs.value;
        }}
      >
        {say(runs.value ? "web.showing_stop" : "web.showing_go")}
      </button>
    </div>
  );
}

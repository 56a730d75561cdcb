// What the tour says about the question that is open, in the column at the side: what it is, and what to press.
import type { JSX } from "preact";
import { question } from "../state/game.ts";
import { say } from "../words.ts";
import { endTour, LESSONS, lessonOf, playOn, tour } from "./tour.ts";

export function Coach(): JSX.Element | null {
  const now = tour.value;
  if (!now) return null;
  const asked = question.value;
  const learnt = LESSONS.every((lesson) => lesson === "block" || now.done.includes(lesson));
  const lesson = asked ? lessonOf(asked, now.done) : "wait";
  const words = asked?.kind === "choose" ? "target" : lesson;
  return (
    <section class="coach" aria-label={say("web.tour")}>
      <p role="status">{say(learnt ? "web.tour_done" : `web.tour_${words}`)}</p>
      <ol class="lessons">
        {LESSONS.map((one) => (
          <li
            key={one}
            class={now.done.includes(one) ? "done" : ""}
            aria-current={one === lesson ? "step" : undefined}
          >
            {now.done.includes(one) && <span aria-hidden="true">✓ </span>}
            {say(`web.lesson_${one}`)}
          </li>
        ))}
      </ol>
      <div class="buttons">
        {learnt && (
          <button type="button" onClick={playOn}>
            {say("web.tour_play_on")}
          </button>
        )}
        <button type="button" data-leave-tour onClick={() => void endTour()}>
          {say("web.tour_leave")}
        </button>
      </div>
    </section>
  );
}

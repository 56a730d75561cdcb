// What can be done about a question beside answering it: take the last answer back, answer it always so, yield to an ability.
import type { JSX } from "preact";
import { nameOf } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { faces, room } from "../state/game.ts";
import { takeBack } from "../state/passing.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";
import type { Draft } from "./interaction.ts";

export function Aside({ now, view }: { now: Draft; view: P.View }): JSX.Element {
  const { question } = now;
  const top = view.stack?.at(-1);
  const ability =
    question.kind === "priority" && top && view.objects?.[top]?.kind === "ability" ? top : undefined;
  const always = question.kind === "confirm" && question.source !== undefined;
  return (
    <div class="aside">
      <TakeBack />
      {ability && (
        <button type="button" class="quiet" onClick={() => void request({ type: "yield", object: ability })}>
          {say("web.yield", { name: nameOf(ability, view, faces.value) })}
        </button>
      )}
      {always &&
        [true, false].map((yes) => (
          <button
            key={String(yes)}
            type="button"
            class="quiet"
            onClick={() => void request({ type: "always", question: question.id, yes })}
          >
            {say(yes ? "web.always_yes" : "web.always_no")}
          </button>
        ))}
    </div>
  );
}

export function TakeBack(): JSX.Element | null {
  if (room.value?.options.takebacks === "none") return null;
  return (
    <button type="button" class="quiet" data-takeback onClick={() => void takeBack()}>
      {say("web.take_back")} <kbd>U</kbd>
    </button>
  );
}

// The stack, top first, each with its controller and what it is aimed at.
import type { JSX } from "preact";
import { englishName, faceOf, frame, nameOf, playerName, textOf } from "../card/look.ts";
import { Symbols } from "../card/Mana.tsx";
import { called, read } from "../card/printings.ts";
import type { Choice, P } from "../protocol/names.ts";
import { marks } from "../questions/current.ts";
import { objectKey } from "../questions/interaction.ts";
import { automatic } from "../state/extras.ts";
import { faces } from "../state/game.ts";
import { route } from "../state/route.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";

export function choiceName(choice: Choice, view: P.View): string {
  if (choice.kind === "player") return playerName(choice.seat, view);
  if (choice.kind === "word") return choice.text ? called(choice.text) : choice.word;
  return nameOf(choice.id, view, faces.value);
}

export function StackColumn({ view }: { view: P.View }): JSX.Element | null {
  const ids = [...(view.stack ?? [])].reverse();
  if (!ids.length) return null;
  return (
    <section class="stack" aria-label={say("zone.stack")}>
      <h2>{say("ui.stack")}</h2>
      <ol>
        {ids.map((id) => (
          <li key={id}>
            <StackItem id={id} view={view} />
            <Yield id={id} view={view} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Whether everything like this is let resolve without asking us, and the way to say so: where it is seen. */
function Yield({ id, view }: { id: string; view: P.View }): JSX.Element | null {
  const thing = view.objects?.[id];
  const seated = view.you !== undefined && !view.players[String(view.you)]?.lost;
  if (!seated || route.value.at === "replay" || !thing || thing.face_down || view.result) return null;
  const name = englishName(id, view, faces.value);
  const text = thing.kind === "ability" ? (thing.text ?? "") : "";
  const rule = automatic.value?.answers?.find(
    (one) => one.does === "pass" && one.name === name && (one.text ?? "") === text,
  );
  const words = say("web.yield", { name: nameOf(id, view, faces.value) });
  return (
    <button
      type="button"
      class="yield"
      aria-pressed={rule !== undefined}
      title={words}
      onClick={() => void request(rule ? { type: "forget", key: rule.key } : { type: "yield", object: id })}
    >
      <span aria-hidden="true">{say(rule ? "web.yields" : "web.yield_short")}</span>
      <span class="sr">{words}</span>
    </button>
  );
}

function StackItem({ id, view }: { id: string; view: P.View }): JSX.Element | null {
  const thing = view.objects?.[id];
  if (!thing) return null;
  const mark = marks.value.get(objectKey(id));
  const face = faceOf(thing, faces.value);
  const text = thing.text ? textOf(thing, view, faces.value) : face ? read(face).text : "";
  return (
    <button
      type="button"
      class={`stack-item f-${frame(thing, face)} ${mark?.can ? "can" : ""} ${mark?.picked ? "picked" : ""}`}
      data-ids={id}
    >
      <strong>
        {nameOf(id, view, faces.value)}
        {thing.x !== undefined && ` (X = ${thing.x})`}
      </strong>
      <small class={`ink-${thing.controller}`}>{playerName(thing.controller, view)}</small>
      {text && (
        <span class="stack-text">
          <Symbols text={text} />
        </span>
      )}
      {(thing.targets?.length ?? 0) > 0 && (
        <span class="stack-targets">
          → {(thing.targets ?? []).map((target) => choiceName(target, view)).join(", ")}
        </span>
      )}
    </button>
  );
}

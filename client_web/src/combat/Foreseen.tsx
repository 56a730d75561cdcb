// The forecast in words, under the declaration: what forbids it, or what would come of it.
import type { JSX } from "preact";
import { nameOf, playerName } from "../card/look.ts";
import type { P } from "../protocol/names.ts";
import { faces } from "../state/game.ts";
import { say } from "../words.ts";
import { forecast } from "./forecast.ts";

export function Foreseen({ view }: { view: P.View }): JSX.Element {
  const now = forecast.value;
  return (
    <div class="foreseen" role="status">
      {now && now.legal === false && (
        <p class="refusal">
          {now.sentence} {now.rule && <small class="rule">{now.rule}</small>}
        </p>
      )}
      {now && now.legal !== false && now.effects && <Effects effects={now.effects} view={view} />}
    </div>
  );
}

function Effects({ effects, view }: { effects: P.Effects; view: P.View }): JSX.Element | null {
  const lines: string[] = [];
  for (const [seat, change] of Object.entries(effects.life ?? {})) {
    const life = view.players[seat]?.life ?? 0;
    lines.push(
      say("web.foreseen_life", { name: playerName(Number(seat), view), life, after: life + change }),
    );
  }
  for (const [seat, count] of Object.entries(effects.poison ?? {})) {
    lines.push(say("web.foreseen_poison", { name: playerName(Number(seat), view), count }));
  }
  for (const [id, change] of Object.entries(effects.loyalty ?? {})) {
    const loyalty = view.objects?.[id]?.loyalty ?? 0;
    lines.push(
      say("web.foreseen_loyalty", { name: nameOf(id, view, faces.value), loyalty, after: loyalty + change }),
    );
  }
  if (effects.dies?.length) {
    lines.push(say("web.foreseen_dies", { names: effects.dies.map((id) => nameOf(id, view, faces.value)) }));
  }
  for (const seat of effects.loses ?? [])
    lines.push(say("web.foreseen_loses", { name: playerName(seat, view) }));
  if (!lines.length) return null;
  return (
    <>
      <h3>{say(effects.unsure ? "web.foreseen_unsure" : "web.foreseen")}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

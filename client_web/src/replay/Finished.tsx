// Finished games that we may see: our own, which we may show to everyone, and those that all their people have shown.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { PageHead } from "../people/PageHead.tsx";
import { when } from "../people/You.tsx";
import type { P } from "../protocol/names.ts";
import { hashOf } from "../state/route.ts";
import { link, request } from "../state/session.ts";
import { say } from "../words.ts";

export function Finished(): JSX.Element {
  const games = useSignal<P.FinishedGame[] | null>(null);
  const open = link.status.value === "open";
  const load = async () => {
    const reply = await request<P.Replays>({ type: "replays" });
    if (reply) games.value = reply.games ?? [];
  };
  useEffect(() => {
    if (open) void load();
  }, [open]);
  const publish = async (game: P.FinishedGame) => {
    await request({ type: "publish", room: game.room, publish: !game.published });
    await load();
  };
  return (
    <main class="lobby" id="main">
      <PageHead title={say("web.replays")}>
        <p class="hint">{say("web.replays_about")}</p>
      </PageHead>
      <section class="panel">
        <h2>{say("web.finished_games")}</h2>
        {games.value && !games.value.length && <p class="hint">{say("web.replays_none")}</p>}
        <ul class="rooms">
          {(games.value ?? []).map((game) => (
            <GameLine key={game.room} game={game} publish={() => void publish(game)} />
          ))}
        </ul>
      </section>
    </main>
  );
}

function GameLine({ game, publish }: { game: P.FinishedGame; publish: () => void }): JSX.Element {
  const state = game.open ? "web.shown_all" : game.published ? "web.shown_waiting" : "web.shown_own";
  return (
    <li>
      <div>
        <strong>{game.title || (game.names ?? []).join(", ")}</strong>
        <span class="hint">
          {[
            when(game.created ?? 0),
            game.title ? (game.names ?? []).join(", ") : "",
            say("web.rules", { edition: say(`web.edition_${game.edition || "2011"}`) }),
            say(state),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <div class="buttons">
        <a class="button" href={hashOf({ at: "replay", room: game.room, moment: 0, seat: null })}>
          {say("web.see_replay")}
        </a>
        {game.mine && (
          <button type="button" aria-pressed={game.published ?? false} onClick={publish}>
            {say(game.published ? "web.unpublish" : "web.publish")}
          </button>
        )}
      </div>
    </li>
  );
}

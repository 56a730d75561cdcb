// Which page is shown: lobby, arriving, a room before its game, the table.
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Arrive } from "./lobby/Arrive.tsx";
import { Gather } from "./lobby/Gather.tsx";
import { Lobby } from "./lobby/Lobby.tsx";
import { Preferences } from "./Preferences.tsx";
import { SignIn } from "./people/Account.tsx";
import { ByLink } from "./people/ByLink.tsx";
import { Ratings } from "./people/Ratings.tsx";
import { You } from "./people/You.tsx";
import { Finished } from "./replay/Finished.tsx";
import { Replay } from "./replay/Replay.tsx";
import { dismiss, elsewhere, notices, room, view, welcome } from "./state/game.ts";
import { hashOf, route } from "./state/route.ts";
import { comeBack, link, refusal } from "./state/session.ts";
import { Table } from "./table/Table.tsx";
import { say } from "./words.ts";

export function App(): JSX.Element {
  const place = room.value?.id ?? route.value.at;
  useLayoutEffect(() => {
    // Another page begins at its top, wherever the one before was scrolled to.
    if (place) window.scrollTo(0, 0);
  }, [place]);
  const atTable = (room.value && view.value) || route.value.at === "replay";
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {say("web.skip")}
      </button>
      <Line />
      {elsewhere.value && <Elsewhere />}
      <Notices />
      {!atTable && (
        <header class="corner">
          {!room.value && (
            <nav class="places" aria-label={say("web.places")}>
              <a href={hashOf({ at: "lobby" })}>{say("web.tables")}</a>
              <a href={hashOf({ at: "replays" })}>{say("web.replays")}</a>
              {welcome.value?.ladder && <a href={hashOf({ at: "ratings" })}>{say("web.ratings")}</a>}
              <a href={hashOf({ at: "you" })}>{say("web.you")}</a>
            </nav>
          )}
          <Preferences />
        </header>
      )}
      {!atTable && refusal.value && (
        <p class="refusal toast" role="alert">
          {refusal.value.sentence}
        </p>
      )}
      <Page />
    </>
  );
}

function Page(): JSX.Element {
  const here = room.value;
  if (here && view.value) return <Table view={view.value} />;
  if (here) return <Gather room={here} />;
  const at = route.value;
  if (at.at === "replay") return <Replay at={at} />;
  if (at.at === "room") return <Arrive at={at} key={at.room} />;
  if (at.at === "you") return <You />;
  if (at.at === "replays") return <Finished />;
  if (at.at === "ratings") return <Ratings />;
  if (at.at === "link") return <ByLink code={at.code} key={at.code} />;
  return <Lobby />;
}

/** Move the focus to the board; the hash is the address of a room, so that no link can do it. */
function skip(): void {
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}

function Line(): JSX.Element | null {
  const status = link.status.value;
  if (status === "open") return link.slow.value ? <Slow /> : null;
  if (status === "refused") return <Stranger />;
  if (status === "connecting")
    return (
      <p class="banner" role="status">
        {say("web.connecting")}
      </p>
    );
  return (
    <p class="banner lost" role="status">
      {say(status === "lost" ? "web.lost" : "web.ended")}{" "}
      <button type="button" onClick={() => link.dial()}>
        {say("web.try_now")}
      </button>
    </p>
  );
}

/** The line is there, and nothing comes. */
function Slow(): JSX.Element {
  return (
    <p class="banner lost" role="status">
      {say("web.slow")}
    </p>
  );
}

/** The server takes no guests, or not under that name: another name, or an account's password. */
function Stranger(): JSX.Element {
  return (
    <div class="banner lost" role="alert">
      <p>{say("web.refused")}</p>
      <SignIn />
    </div>
  );
}

/** Two tabs do not fight: the older one says where the seat went, and takes it back only when asked. */
function Elsewhere(): JSX.Element {
  const here = room.value?.id;
  return (
    <p class="banner lost" role="alert">
      {say("web.elsewhere")}{" "}
      <button type="button" onClick={() => here && void comeBack(here)}>
        {say("web.play_here")}
      </button>
    </p>
  );
}

function Notices(): JSX.Element | null {
  if (!notices.value.length) return null;
  return (
    <div role="status">
      <ul class="notices">
        {notices.value.slice(-3).map((notice) => (
          <li key={notice.id}>
            {say(notice.key, notice.args)}
            <button type="button" aria-label={say("web.close")} onClick={() => dismiss(notice.id)}>
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

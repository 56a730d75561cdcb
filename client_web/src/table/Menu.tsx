// What is not about the moment: language, looks, sound, giving up, leaving.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Preferences } from "../Preferences.tsx";
import { PeopleHere } from "../people/PersonMenu.tsx";
import type { P } from "../protocol/names.ts";
import { leaveRoom, request } from "../state/session.ts";
import { say } from "../words.ts";
import { Comfort } from "./Comfort.tsx";
import { EmoteButtons } from "./Emotes.tsx";

export function Menu({ view }: { view: P.View }): JSX.Element {
  const sure = useSignal(false);
  const seated = view.you !== undefined && !view.players[String(view.you)]?.lost && !view.result;
  return (
    <details class="menu main-menu">
      <summary aria-label={say("web.menu")}>☰</summary>
      <div class="menu-box">
        <Preferences />
        <PeopleHere />
        {seated && <EmoteButtons />}
        {seated && <Comfort />}
        {seated && (
          <button
            type="button"
            onClick={() => {
              if (sure.value) void request({ type: "concede" });
              sure.value = !sure.value;
            }}
          >
            {say(sure.value ? "web.concede_sure" : "web.concede")}
          </button>
        )}
        <button type="button" onClick={() => void leaveRoom()}>
          {say("ui.leave")}
        </button>
        <Keys />
      </div>
    </details>
  );
}

function Keys(): JSX.Element {
  return (
    <details>
      <summary>{say("ui.help_title")}</summary>
      <p class="keys">{say("web.keys")}</p>
    </details>
  );
}

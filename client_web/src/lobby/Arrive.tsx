// Behind an invitation link, before one has a seat: a name, a deck, one click to sit. Nothing else.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { ManaSymbol } from "../card/Mana.tsx";
import { Word } from "../people/fields.tsx";
import { go, type Route } from "../state/route.ts";
import { houseDecks, joinRoom, refusal, request, rooms, watchRoom } from "../state/session.ts";
import { name } from "../state/settings.ts";
import { say } from "../words.ts";
import { NameField } from "./Entry.tsx";

interface Props {
  at: Extract<Route, { at: "room" }>;
}

export function Arrive({ at }: Props): JSX.Element {
  const { room, invitation } = at;
  const password = useSignal("");
  const deck = useSignal("");
  const listed = rooms.value.find((one) => one.id === room);
  const named = name.value !== "";
  const gathering = !listed || listed.state === "gathering";
  const locked = !invitation && (listed?.locked || refusal.value?.code === "locked" || password.value !== "");
  const key = invitation ? { invitation } : password.value ? { password: password.value } : {};
  const sit = async () => {
    const came = await joinRoom(room, key);
    if (came && deck.value) {
      const done = await request({ type: "deck", house: deck.value });
      if (done) await request({ type: "ready" });
    }
  };
  return (
    <main class="lobby" id="main">
      <section class="hero">
        <h1>
          {listed?.options.title ||
            say(listed?.host ? "web.invited" : "web.invited_by_nobody", { name: listed?.host ?? "" })}
        </h1>
        <p class="hint">{room}</p>
        <NameField autoFocus={!named} />
        {locked && (
          <Word words={say("web.room_password")} autocomplete="off" hidden text={password}>
            <small>{say("web.room_locked")}</small>
          </Word>
        )}
        {gathering && (
          <fieldset class="deck-choice">
            <legend>{say("ui.which_deck")}</legend>
            {houseDecks(listed?.options).map((one) => (
              <label key={one.name} class={deck.value === one.name ? "picked" : ""}>
                <input
                  type="radio"
                  name="deck"
                  checked={deck.value === one.name}
                  onChange={() => {
                    deck.value = one.name;
                  }}
                />
                {one.name.replaceAll("-", " ")}
                {[...(one.colors ?? "")].map((color) => (
                  <ManaSymbol key={color} of={color} />
                ))}
              </label>
            ))}
            <label class={deck.value === "" ? "picked" : ""}>
              <input
                type="radio"
                name="deck"
                checked={deck.value === ""}
                onChange={() => {
                  deck.value = "";
                }}
              />
              {say("web.later")}
            </label>
          </fieldset>
        )}
        <div class="buttons">
          {gathering && (
            <button type="button" class="primary" disabled={!named} onClick={() => void sit()}>
              {say("web.sit")}
            </button>
          )}
          <button type="button" onClick={() => void watchRoom(room, key)}>
            {say("web.watch")}
          </button>
          <button type="button" onClick={() => go({ at: "lobby" })}>
            {say("web.to_lobby")}
          </button>
        </div>
      </section>
    </main>
  );
}

// Chat of the room.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { chat } from "../state/game.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";

export function ChatBox(): JSX.Element {
  const draft = useSignal("");
  const list = useRef<HTMLUListElement>(null);
  const lines = chat.value;
  const last = lines.at(-1)?.id;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [last]);
  const send = (event: Event) => {
    event.preventDefault();
    const text = draft.value.trim();
    if (!text) return;
    draft.value = "";
    void request({ type: "chat", text });
  };
  return (
    <div class="chat">
      <ul ref={list} aria-live="polite" aria-label={say("web.chat")}>
        {lines.map((line) => (
          <li key={line.id}>
            <strong class={line.seat === null ? "" : `ink-${line.seat}`}>{line.name}</strong> {line.text}
          </li>
        ))}
      </ul>
      <form onSubmit={send}>
        <input
          aria-label={say("web.chat_line")}
          placeholder={say("web.chat_line")}
          maxLength={500}
          value={draft.value}
          onInput={(event) => {
            draft.value = event.currentTarget.value;
          }}
        />
        <button type="submit">{say("web.send")}</button>
      </form>
    </div>
  );
}

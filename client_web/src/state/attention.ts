// Calling one back to the table: the page's title, a sound and, if wanted, a notification when it is one's turn to decide.
import { effect } from "@preact/signals";
import { CALL, play } from "../stage/sounds.ts";
import { say, sayText } from "../words.ts";
import { question, room } from "./game.ts";
import { notify } from "./settings.ts";

export function beginAttention(): void {
  effect(() => {
    const asked = question.value;
    const title = room.value?.options.title || room.value?.id || "apnap";
    document.title = asked
      ? `● ${sayText(asked.prompt)} – ${title}`
      : title === "apnap"
        ? title
        : `${title} – apnap`;
    if (!asked || document.visibilityState === "visible") return;
    play(CALL);
    if (notify.peek() && Notification.permission === "granted") {
      new Notification(say("web.your_move"), { body: sayText(asked.prompt), tag: "apnap" });
    }
  });
}

// Calling one back to the table: the page's title, a sound and, if wanted, a notification when it is one's turn to decide.
import { effect } from "@preact/signals";
import { say, sayText } from "../words.ts";
import { question, room } from "./game.ts";
import { notify, sound } from "./settings.ts";

let context: AudioContext | null = null;

/** Two soft tones. */
function chime(): void {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    for (const [at, pitch] of [
      [0, 523.25],
      [0.12, 783.99],
    ] as const) {
      const tone = context.createOscillator();
      const gain = context.createGain();
      tone.frequency.value = pitch;
      gain.gain.setValueAtTime(0, now + at);
      gain.gain.linearRampToValueAtTime(0.08, now + at + 0.02);
      gain.gain.exponentialRampToValueAtTime(0.0001, now + at + 0.35);
      tone.connect(gain).connect(context.destination);
      tone.start(now + at);
      tone.stop(now + at + 0.4);
    }
  } catch {
    // A browser without sound still plays.
  }
}

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
    if (sound.peek()) chime();
    if (notify.peek() && Notification.permission === "granted") {
      new Notification(say("web.your_move"), { body: sayText(asked.prompt), tag: "apnap" });
    }
  });
}

// The answers that we gave last, so that a loop of them can be given again in one go.
import { computed, signal } from "@preact/signals";
import { nameOf, playerName } from "../card/look.ts";
import { called } from "../card/printings.ts";
import type { Answer, Question } from "../protocol/names.ts";
import { say, sayText } from "../words.ts";
import { faces, question, view } from "./game.ts";

/** An answer of ours: to which question, and both in words. */
export interface Given {
  question: string;
  words: string;
  /** What was done, in as few words as name it. */
  did: string;
  /** The face of the spell that is being cast by this answer or those before it; absent for all else. */
  casts?: string | undefined;
}

/** What yes and no do where a sentence says it better, by the purpose of the question; no, then yes. */
export const DOES: Partial<Record<string, readonly [string, string]>> = {
  mulligan: ["web.do_keep", "web.do_mulligan"],
};

const KEPT = 12;

/** Our last answers, the newest last. */
export const given = signal<Given[]>([]);

/** An answer in words, as the table is when it is given. */
export function givenTo(question: Question, answer: Answer): Given {
  const words = [sayText(question.prompt), inWords(question, answer)].filter(Boolean).join(" ");
  return { question: question.id, words, did: deed(question, answer), casts: spell(question, answer) };
}

/** Remember an answer that the server has taken. */
export function remember(said: Given): void {
  given.value = [...given.value, said].slice(-KEPT);
}

/** The spell whose casting this answer begins, or goes on with (601.2). */
function spell(asked: Question, answer: Answer): string | undefined {
  if (asked.kind !== "priority") return given.value.at(-1)?.casts;
  const action = answer.kind === "priority" ? asked.actions[answer.index] : undefined;
  return action?.type === "cast" ? view.peek()?.objects?.[action.object ?? ""]?.face : undefined;
}

/** Whether the open question is part of casting a spell, so that taking our last answer back goes on where we were before. */
export const casting = computed(() => {
  const thing = view.value?.objects?.[question.value?.source ?? ""];
  const casts = given.value.at(-1)?.casts;
  return casts !== undefined && thing?.zone === "stack" && thing.kind !== "ability" && thing.face === casts;
});

/** What is taken back when this answer is. */
function deed(question: Question, answer: Answer): string {
  if (question.kind === "priority" && answer.kind === "priority") {
    const action = question.actions[answer.index];
    return action ? say(`ui.action_${action.type}`, { text: action.text ?? "" }) : "";
  }
  if (question.kind === "confirm" && answer.kind === "confirm") {
    const does = DOES[question.purpose]?.[answer.yes ? 1 : 0];
    const count = view.peek()?.players[String(question.for_seat ?? question.seat)]?.hand?.length ?? 0;
    if (does) return say(does, { count });
    return `${sayText(question.prompt)} ${say(answer.yes ? "ui.yes" : "ui.no")}`;
  }
  const chosen = chosenNames(question, answer) || (question.kind === "payment" && inWords(question, answer));
  return chosen || say(`web.kind_${question.kind}`);
}

/** What was chosen, by its names. */
function chosenNames(question: Question, answer: Answer): string {
  const now = view.peek();
  if (!now || question.kind !== "choose" || answer.kind !== "choose") return "";
  const names = answer.picks.map((pick) => {
    const choice = question.options[pick];
    if (choice?.kind === "player") return playerName(choice.seat, now);
    return choice?.kind === "object" ? nameOf(choice.id, now, faces.peek()) : called(choice?.text ?? "");
  });
  return names.filter(Boolean).join(", ");
}

/** What was answered, where a few words say it. */
function inWords(question: Question, answer: Answer): string {
  if (question.kind === "priority" && answer.kind === "priority") {
    return question.actions[answer.index]?.text ?? "";
  }
  if (question.kind === "payment" && answer.kind === "payment") {
    return question.actions[answer.index - 1]?.text ?? "";
  }
  return answer.kind === "number" ? String(answer.number) : "";
}

// The answers that we gave last, so that a loop of them can be given again in one go.
import { signal } from "@preact/signals";
import type { Answer, Question } from "../protocol/names.ts";
import { sayText } from "../words.ts";

/** An answer of ours: to which question, and both in words. */
export interface Given {
  question: string;
  words: string;
}

const KEPT = 12;

/** Our last answers, the newest last. */
export const given = signal<Given[]>([]);

/** Remember an answer that the server has taken. */
export function remember(question: Question, answer: Answer): void {
  const words = [sayText(question.prompt), inWords(question, answer)].filter(Boolean).join(" ");
  given.value = [...given.value, { question: question.id, words }].slice(-KEPT);
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

// Questions in which actions that are alike are listed once, as protocol/gathered.py.
import type { P, Question } from "./names.ts";

/** The question with the whole list of actions, in which answers count. */
export function spread(question: Question): Question {
  if (question.kind !== "priority" && question.kind !== "payment") return question;
  if (!question.actions.some((action) => action.also)) return question;
  const placed: P.Action[] = [];
  for (const { also, ...action } of question.actions) {
    for (const [object, place] of Object.entries(also ?? {})) placed[place] = { ...action, object };
  }
  let free = 0;
  for (const { also: _, ...action } of question.actions) {
    while (placed[free]) free++;
    placed[free] = action;
  }
  return { ...question, actions: placed };
}

/** The message with its question whole, if it brings one. */
export function spreadIn(message: P.ServerMessage): P.ServerMessage {
  if ((message.type === "view" || message.type === "question") && message.question) {
    return { ...message, question: spread(message.question) } as P.ServerMessage;
  }
  return message;
}

// Short names for unions that the schema writes out, and nothing else.
import type * as P from "./types.ts";

export type { P };
export type Question = P.QuestionMessage["question"];
export type Answer = P.AnswerMessage["answer"];
export type Choice = P.ObjectChoice | P.PlayerChoice | P.WordChoice;
export type Arg = string | number | boolean | string[];
export type Args = Record<string, Arg>;

/** A client message without the id, which the link gives it. */
type Bare<Message> = Message extends { id: string } ? Omit<Message, "id"> : never;
export type Request = Bare<P.ClientMessage>;

export { STEPS, type Step } from "./types.ts";

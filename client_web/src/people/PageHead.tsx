// The head of a page beside the lobby: what it is, what is said of it, and the way back.
import type { ComponentChildren, JSX } from "preact";
import { go } from "../state/route.ts";
import { say } from "../words.ts";

export function PageHead({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="hero">
      <h1>{title}</h1>
      {children}
      <div class="buttons">
        <button type="button" onClick={() => go({ at: "lobby" })}>
          {say("web.to_lobby")}
        </button>
      </div>
    </section>
  );
}

// Oneself: name and account, decks, sessions, whom one ignores, what is kept about one.
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { NameField } from "../lobby/Entry.tsx";
import { welcome } from "../state/game.ts";
import { endSession, forgetPerson, ignore, ignoredPeople, loadSessions, sessions } from "../state/people.ts";
import { link, signOut } from "../state/session.ts";
import { lang } from "../state/settings.ts";
import { say } from "../words.ts";
import { ChangePassword, SignIn, SignUp } from "./Account.tsx";
import { OwnData } from "./OwnData.tsx";
import { PageHead } from "./PageHead.tsx";
import { SavedDecks } from "./SavedDecks.tsx";
import { Standing } from "./Standing.tsx";

export function You(): JSX.Element {
  const who = welcome.value;
  const open = link.status.value === "open";
  useEffect(() => {
    if (open && who) void loadSessions();
    return forgetPerson;
  }, [open, who?.person]);
  const account = Boolean(who?.role);
  return (
    <main class="lobby" id="main">
      <PageHead title={say("web.you")}>
        {account ? (
          <p>{say(who?.role === "admin" ? "web.you_admin" : "web.you_account", { name: who?.name ?? "" })}</p>
        ) : (
          <>
            <p class="hint">{say("web.you_guest")}</p>
            <NameField />
          </>
        )}
      </PageHead>
      {!account && who?.accounts && (
        <Panel title={say("web.sign_up")}>
          <SignUp />
        </Panel>
      )}
      {!account && (
        <Panel title={say("web.sign_in")}>
          <SignIn />
        </Panel>
      )}
      {account && (
        <Panel title={say("web.change_password")}>
          <ChangePassword />
        </Panel>
      )}
      {open && who?.ladder && (
        <Panel title={say("web.ratings")}>
          <Standing person={who.person} />
        </Panel>
      )}
      <Panel title={say("web.saved_decks")}>
        <SavedDecks />
      </Panel>
      <Panel title={say("web.sessions")}>
        <Sessions />
      </Panel>
      <Panel title={say("web.ignored")}>
        <Ignored />
      </Panel>
      <Panel title={say("web.own_data")}>
        <OwnData account={account} />
      </Panel>
    </main>
  );
}

function Panel({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A moment, as people of our language write it. */
export function when(seconds: number): string {
  const form = new Intl.DateTimeFormat(lang.value, { dateStyle: "medium", timeStyle: "short" });
  return form.format(new Date(seconds * 1000));
}

function Sessions(): JSX.Element {
  const all = sessions.value ?? [];
  return (
    <>
      <p class="hint">{say("web.sessions_about")}</p>
      <ul class="rooms">
        {all.map((one) => (
          <li key={one.session}>
            <div>
              <strong>
                {one.client || say("web.session_unknown")}
                {one.here && ` – ${say("web.session_here")}`}
              </strong>
              <span class="hint">
                {say("web.session_times", { since: when(one.since ?? 0), seen: when(one.seen ?? 0) })}
              </span>
            </div>
            <button
              type="button"
              onClick={() => void (one.here ? signOut(one.session) : endSession(one.session))}
            >
              {say(one.here ? "web.sign_out" : "web.end_session")}
            </button>
          </li>
        ))}
      </ul>
      {all.length > 1 && (
        <div class="buttons">
          <button type="button" onClick={() => void endSession()}>
            {say("web.end_others")}
          </button>
        </div>
      )}
    </>
  );
}

function Ignored(): JSX.Element {
  const people = ignoredPeople.value;
  if (!people.length) return <p class="hint">{say("web.ignored_none")}</p>;
  return (
    <ul class="rooms">
      {people.map((one) => (
        <li key={one.person}>
          <strong>{one.name}</strong>
          <button type="button" onClick={() => void ignore(one, false)}>
            {say("web.unignore")}
          </button>
        </li>
      ))}
    </ul>
  );
}

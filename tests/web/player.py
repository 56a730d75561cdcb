"""Somebody at the page: reads what it shows and presses what a person would. Knows the page, nothing of the server."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import TimeoutError as NotSeen

PATIENCE_MS = 60_000

AT_ONCE = "try { localStorage['apnap.pace'] ??= 'off' } catch {}"
"""A page that is not the server's keeps nothing."""

DOCK = """() => {
  const dock = document.querySelector('.dock');
  if (!dock) return null;
  const text = (e) => e.innerText.replace(/\\s+/g, ' ').trim();
  return {
    kind: dock.dataset.question,
    id: dock.dataset.qid,
    prompt: text(dock.querySelector('.prompt') ?? dock),
    actions: [...dock.querySelectorAll('.actions > li > button[data-action]')]
      .filter((b) => !b.closest('.mana-actions')).map((b) => [b.dataset.action, text(b)]),
    options: [...dock.querySelectorAll('[data-option]')].map((b) => [b.dataset.option, text(b)]),
    immediate: !dock.querySelector('[data-primary]'),
    over: Boolean(dock.querySelector('.ended')),
  };
}"""


class Player:
    """One browser context with one page. `faults` collects what must never happen. Who `watches` has the game played out
    before their eyes, as people have by default; the others are shown everything at once."""

    def __init__(self, browser: Any, url: str, name: str, *, watches: bool = False, **context: Any) -> None:
        self.name = name
        self.url = url
        context.setdefault("viewport", {"width": 1280, "height": 800})
        self.context = browser.new_context(**context)
        if not watches:
            self.context.add_init_script(AT_ONCE)
        self.faults: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Any:
        """Another tab of the same browser."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: self._note(said))
        page.on("pageerror", lambda fault: self.faults.append(f"error: {fault}"))
        page.on("requestfailed", self._failed)
        return page

    def _failed(self, request: Any) -> None:
        """A request that the browser gave up because the page was left has not failed."""
        if "ERR_ABORTED" not in (request.failure or ""):
            self.faults.append(f"request failed: {request.url} {request.failure}")

    def _note(self, said: Any) -> None:
        """What the browser says of a line that the page itself gave up while it was being opened is no error of ours."""
        given_up = "closed before the connection is established" in said.text
        if said.type in ("error", "warning") and not given_up:
            self.faults.append(f"console: {said.text}")

    # --- coming in ---

    def visit(self, path: str = "") -> None:
        """Open the page and say who we are."""
        self.page.goto(self.url + path)
        self.page.fill("input[name=name]", self.name)
        self.page.keyboard.press("Enter")

    def invitation(self) -> str:
        """The link to one's table that one gives to others."""
        return str(self.page.input_value(".invite .field input"))

    def come_to(self, invitation: str) -> None:
        """Follow somebody's link and say who we are."""
        self.visit(invitation.removeprefix(self.url))

    def sit_with(self, host: Player) -> None:
        """Follow the host's link and take the first free seat."""
        self.come_to(host.invitation())
        self.press("sit down")
        button = self.page.get_by_role("button", name="sit down").first
        try:
            button.wait_for(state="detached", timeout=5_000)
        except NotSeen:
            button.click()  # as anybody would: the list of decks may come in under the press, and move the button

    def press(self, text: str) -> None:
        """Press the button with these words."""
        self.page.get_by_role("button", name=text, exact=False).first.click()

    def choose_deck(self, name: str) -> None:
        """A house deck, by the words on its button."""
        self.page.locator("button.deck", has_text=name).click()
        self.page.wait_for_selector("button.deck[aria-pressed=true]")

    # --- playing ---

    def dock(self) -> dict[str, Any] | None:
        """What is asked: kind, id, prompt, actions, options; None where there is no table."""
        return self.page.evaluate(DOCK)

    def wait_for_question(self, *kinds: str) -> dict[str, Any]:
        """Wait until something is asked (of one of these kinds), or the game is over."""
        asked = ",".join(f".dock[data-question={kind}]" for kind in kinds) or ".dock.asked"
        self.page.wait_for_selector(f"{asked}, .ended")
        dock = self.dock()
        assert dock is not None
        return dock

    def answered(self, question: str) -> None:
        """Wait until that question is not open any more."""
        try:
            self.page.wait_for_function("id => document.querySelector('.dock')?.dataset.qid !== id", arg=question)
        except Exception as fault:
            raise AssertionError(f"{self.name} is still asked: {self.page.inner_text('.dock')}") from fault

    def confirm(self) -> None:
        """Press the button that answers as drafted."""
        self.page.click("[data-primary]:not([disabled])")

    def act(self) -> str:
        """Answer the open question as a simple player would. Returns its kind; "over" at the end of the game."""
        dock = self.wait_for_question()
        if dock["over"]:
            return "over"
        getattr(self, f"_{dock['kind']}", self._default)(dock)
        self.answered(dock["id"])
        return str(dock["kind"])

    def _default(self, dock: dict[str, Any]) -> None:
        self.confirm()

    def _priority(self, dock: dict[str, Any]) -> None:
        if dock["actions"]:
            self.page.click(f".actions [data-action='{dock['actions'][0][0]}']")
        else:
            self.confirm()

    def _choose(self, dock: dict[str, Any]) -> None:
        if dock["immediate"]:
            self.page.click("[data-option='0']")
            return
        for index, _ in dock["options"]:
            if self.page.locator("[data-primary]:not([disabled])").count():
                break
            self.page.click(f"[data-option='{index}']")
        self.confirm()

    def _attackers(self, dock: dict[str, Any]) -> None:
        self.page.keyboard.press("a")
        self.page.keyboard.press("1")
        self.confirm()

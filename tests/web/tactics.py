"""Players who look for what a table is interesting for: split attacks, double blocks, planeswalkers. Each notes what it has seen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import TimeoutError as NotSeen

from tests.web.player import PATIENCE_MS, Player

ARMY = """10 Forest
10 Plains
4 Sunlit Orchard
4 Tovasz, Orchard Warden
2 Ilvara, Voice of Roots
4 Gardener of Miracles
4 Thornhide Cub
4 Chapel Squire
4 Orchard Saint
4 Canopy Watcher
4 Bramble Boar
4 Mossback Elder
2 Oathsworn Paladin
"""

OWN = ".mat.own .tile.can"
LANDS = "() => [...document.querySelectorAll('.own .tile.land')].flatMap((one) => one.dataset.ids.split(' '))"


class Tactician(Player):
    """Plays everything, lets planeswalkers grow, splits attacks over all that may be attacked, blocks with two where it can."""

    def __init__(self, *given: Any, **context: Any) -> None:
        super().__init__(*given, **context)
        self.seen: set[str] = set()

    def lands(self) -> list[str]:
        """Our lands on the table."""
        return self.page.evaluate(LANDS)

    def _priority(self, dock: dict[str, Any]) -> None:
        wanted = sorted(dock["actions"], key=lambda action: "+" not in action[1])
        if not wanted:
            self.confirm()
            return
        index, words = wanted[0]
        if "+1" in words:
            self.seen.add("loyalty ability")
        self.page.click(f".actions [data-action='{index}']")

    def _attackers(self, dock: dict[str, Any]) -> None:
        defenders = self.page.locator(".defender").evaluate_all("all => all.map((one) => one.dataset.defender)")
        players = [at for at, key in enumerate(defenders) if key.startswith("p")]
        walkers = [at for at, key in enumerate(defenders) if key.startswith("o")]
        attackers = self.page.locator(OWN).evaluate_all(
            "all => all.reduce((sum, one) => sum + one.dataset.ids.split(' ').length, 0)"
        )
        if attackers >= 3 and len(players) >= 2 and walkers:
            self.split(defenders, [players[0], players[1], walkers[0]])
        else:
            self.page.keyboard.press("a")
            if len(defenders) > 1:
                self.page.keyboard.press("1")
        self.confirm()

    def split(self, defenders: list[str], three: list[int]) -> None:
        """Send one creature by click, one by key, one by drag, the rest after the first."""
        first, second, walker = three
        self.page.locator(OWN + ":not(.edge)").first.click()
        self.page.click(f"[data-defender={defenders[first]}]")
        self.page.locator(OWN + ":not(.edge)").first.click()
        self.page.keyboard.press(str(second + 1))
        self.drag(self.page.locator(OWN + ":not(.edge)").first, self.target(defenders[walker]))
        sent = self.page.locator(".defender-count").all_inner_texts()
        assert [sent[at] for at in three] == ["1", "1", "1"], sent
        self.seen.add("split attack")

    def target(self, key: str) -> Any:
        """A defender where it is on the table."""
        selector = f".who[data-seat='{key[1:]}']" if key[0] == "p" else f".tile[data-ids~='{key[1:]}']"
        return self.page.locator(selector)

    def drag(self, one: Any, other: Any) -> None:
        """Drag by mouse from the middle of one element to that of another."""
        start, end = one.bounding_box(), other.bounding_box()
        self.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
        self.page.mouse.up()

    def _blockers(self, dock: dict[str, Any]) -> None:
        self.page.keyboard.press("a")
        self.page.keyboard.press("1")
        if any(count.startswith("2") for count in self.page.locator(".defender-count").all_inner_texts()):
            self.seen.add("double block")
        self.confirm()
        self.page.wait_for_function(
            "id => document.querySelector('.dock')?.dataset.qid !== id || document.querySelector('.dock .refusal .rule')",
            arg=dock["id"],
        )
        if self.page.locator(f".dock[data-qid='{dock['id']}'] .refusal .rule").count():
            self.seen.add("refusal with its rule")
            self.page.locator(".dock").get_by_role("button", name="clear").click()
            self.confirm()

    def _damage(self, dock: dict[str, Any]) -> None:
        box = self.page.locator(".assigners fieldset").first
        if box.locator(".assign").count() > 1:
            self.seen.add("division")
            self._one_less(box)
            assert self.page.locator("[data-primary][disabled]").count()
            self.press("as proposed")
        self.confirm()

    def _one_less(self, box: Any) -> None:
        """Assign one less than the power, which the page calls wrong. A press at the moment in which a question comes is no
        answer to it; whoever sees nothing happen presses again.
        """
        for _ in range(2):
            box.get_by_role("button", name="less:").first.click()
            try:
                self.page.wait_for_selector("fieldset.wrong .rule", timeout=PATIENCE_MS / 6)
                return
            except NotSeen:
                continue
        raise AssertionError(f"one less is not wrong: {self.dock()} {box.inner_html()}")

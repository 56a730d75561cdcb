"""Commands of README and docs that are not typed by tests/house/test_commands_run.py, and why, or where they are."""

from __future__ import annotations

REMOTE = "runs a program beside it; tests/net/test_contest.py"
DATABASE = "wants a PostgreSQL; tests/cluster serves so"
NAMED = "only names the command; what follows it stands beside it"
NOT_RUN: dict[str, str] = {
    "apnap cards import scryfall": "fetches a list from elsewhere; tests/net and tests/cards fetch one from a server of their own",
    "apnap arena remote:mine simple": REMOTE,
    "apnap arena remote:mine simple --start 'python examples/first_bot.py {url} {room}'": REMOTE,
    "apnap serve --store postgresql://apnap@db.example/apnap --standby": DATABASE,
    "apnap serve --store postgresql://apnap@db.example/apnap --workers 2 --node 10.0.0.2:8803": DATABASE,
    "apnap bench cluster --json --rooms N --rate R --seconds S --turns N": "wants a PostgreSQL; tests/cluster/test_cluster_up.py",
    "apnap bench cluster --cores --json --rooms N --seconds S --turns N": "takes two cores; tests/cluster/test_cluster_up.py",
    "apnap cluster up": "wants a PostgreSQL; tests/cluster/test_cluster_up.py",
    "apnap migrate postgresql://apnap@db.example/apnap": "wants a PostgreSQL; tests/storage migrates so",
    **dict.fromkeys(("apnap admin", "apnap admin backup", "apnap admin restore", "apnap cards check"), NAMED),
    **dict.fromkeys(("apnap cards show", "apnap deck check", "apnap export", "apnap bench cluster"), NAMED),
    **dict.fromkeys(("apnap play --fingerprint", "apnap replay --verify", "apnap arena remote:NAME"), NAMED),
}
"""Why a command is not run here."""
OTHERS: dict[str, str] = {
    "pip install": "the wheel is installed by tests/house/test_wheel.py",
    "make setup": "what made the .venv that runs this",
    "make run": "setup, page and `apnap serve`, each run by others; whole in the steps of the image (tests/deploy)",
    **dict.fromkeys(("make page", "make browser", "make lint"), "run before the tests by `make test`"),
    **dict.fromkeys(("make test", "make test-all"), "runs this"),
    "make chaos": "tests/cluster/test_at_length.py plays a share of it; the whole takes hours",
    "make mutants": "`make test` runs a third of it",
    "make demo": "`apnap demo` below",
    "make bench": "`apnap bench` below",
    **dict.fromkeys(("make format", "python -m tests.web."), "changes the checkout"),
    "make lock": "needs uv, and asks a registry",
    "make audit": "asks for advisories elsewhere; tests/deploy/test_dependencies.py",
    "make wheel": "run by tests/house/test_wheel.py and the steps of the image",
    "python examples/first_bot.py": "tests/client/test_real.py",
    "python examples/learn.py": "tests/library/test_learn_example.py",
    "python bench/parsing.py": "compares with libraries that are not installed",
    "python -m apnap.arena": "what `apnap arena` starts",
    "python -m apnap.search.fitting": "plays hundreds of games; tests/library/test_search.py fits to few",
    "python -m tests.storage.names": "changes the checkout; tests/storage/test_names.py",
    "python -m bench.by_hand": "takes the lists of cards and decks that only some checkouts have",
    "podman": "no container engine to be had; the image's steps are run by tests/deploy",
    "docker": "no container engine to be had; the file is read by tests/deploy",
    "cloudflared": "a program and a service of others",
}
"""Commands of other programs, by how they begin, and why they are not run here, or where."""

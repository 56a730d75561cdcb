"""Which browser, and how it is started."""

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there. The shell is Chromium's engine with none of its windows: opening a page costs 0.6 s of CPU there, 1.6 s in
the whole browser (`tests/web` at its usual sizes, measured on two cores)."""
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

import { defineConfig } from "vite";

// The page goes where the server looks for it, and so into the wheel. `base` is relative, so that it also works behind a
// proxy that serves apnap under a path.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../server/net/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8802", ws: true } } },
});

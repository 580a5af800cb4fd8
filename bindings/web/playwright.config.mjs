import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  // A machine that is busy may take its time: a limit ends only what hangs.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  workers: 2,
  reporter: "list",
  use: {
    actionTimeout: 60_000,
    baseURL: "http://localhost:4173/sub/",
    launchOptions: { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] },
  },
  webServer: {
    command: "node tests/serve.mjs",
    url: "http://localhost:4173/sub/",
    reuseExistingServer: false,
  },
});

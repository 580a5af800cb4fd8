import { defineConfig } from "@playwright/test";

export default defineConfig({
  reporter: "list",
  timeout: 120_000,
  workers: 1,
  use: {
    launchOptions: { executablePath: process.env.LOWCRAWL_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
  },
});

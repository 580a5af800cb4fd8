const { defineConfig } = require("@playwright/test");

module.exports = defineConfig({
  testDir: ".",
  timeout: 300_000,
  workers: 2,
  reporter: "list",
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] },
  },
});

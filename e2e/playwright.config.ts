import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'

/** The browser for running a file directly. `npm test` sets `ALCOVE_CHROMIUM` instead. */
const headlessShell = '/usr/bin/chromium-headless-shell'
const executablePath = process.env.ALCOVE_CHROMIUM ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium')
const isRoot = process.getuid?.() === 0

/** Runs Chromium against the built product. Each worker has its own server, database and disk. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  // One more than the processors of a small machine, because a test spends much of its time waiting.
  workers: 3,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ...(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['json'] as ['json']] : [])],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath,
      // Without a UTF-8 locale, Chromium cannot read file names in other scripts.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    screenshot: 'only-on-failure',
  },
})

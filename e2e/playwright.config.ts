import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'

/** `npm test` names one; for those who run a file by itself. */
const headlessShell = '/usr/bin/chromium-headless-shell'
const executablePath = process.env.ALCOVE_CHROMIUM ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium')
const isRoot = process.getuid?.() === 0

/** Chromium on the built product; each worker has a server, a database and a disk of its own. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  // One more than the processors of a small machine: much of a journey is waiting.
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
      // Where the language is not UTF-8, Chromium cannot read names of files in other scripts.
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

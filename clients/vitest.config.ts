import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')

export default defineConfig({
  root,
  test: {
    // Measurements take long, and their results depend on the machine.
    include: [process.env.ALCOVE_TEST_MEASURE === '1' ? 'clients/*.measure.ts' : 'clients/*.test.ts'],
    globalSetup: join(root, 'server/src/testing/engines/postgres-global-setup.ts'),
    pool: 'forks',
    // Each program keeps one core busy, and the server another.
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
})

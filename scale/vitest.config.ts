import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { onBothDatabases } from '../vitest.config.ts'

const root = join(import.meta.dirname, '..')
const globalSetup = join(root, 'server/src/testing/engines/postgres-global-setup.ts')

// `npm run test:scale` runs these projects one after the other, on the engines that `run.ts` has started.
export default defineConfig({
  root,
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          include: [...onBothDatabases, 'server/src/platform/blobs/s3-*.test.ts'],
          // Billing uses only the database, on which `npm test` runs it, and would take an eighth of the time.
          // The tests of the metrics start their own servers, on SQLite.
          exclude: ['server/src/modules/billing/**', 'server/src/modules/admin/metrics-endpoint.test.ts'],
          env: { ALCOVE_TEST_DATABASE: 'postgres', ALCOVE_TEST_BLOBS: 's3' },
          // As in `npm test`: files share a process, which has read the server's sources once.
          isolate: false,
          globalSetup,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          include: ['scale/**/*.test.ts'],
          globalSetup,
          // They share the engines, and stop them.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { onBothDatabases, onS3 } from '../vitest.config.ts'

const root = join(import.meta.dirname, '..')
const globalSetup = join(root, 'server/src/testing/engines/postgres-global-setup.ts')

const api = {
  env: { ALCOVE_TEST_DATABASE: 'postgres', ALCOVE_TEST_BLOBS: 's3' },
  // As in `npm test`: files share a process, which has read the server's sources once.
  isolate: false,
  globalSetup,
}

// What stands on S3 or Redis. Everything else meets only the database here, as it does in `npm test`.
const onEngines = [
  ...onS3,
  'server/src/platform/blobs/s3-*.test.ts',
  'server/src/{guessing,suspension}.test.ts',
  'server/src/modules/accounts/sign-in/attempts.test.ts',
]

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
      { extends: true, test: { ...api, name: 'engines', include: onEngines, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          ...api,
          name: 'api',
          include: onBothDatabases,
          // Billing uses only the database, and would take an eighth of the time.
          // The tests of the metrics start their own servers, on SQLite.
          exclude: [...onEngines, 'server/src/modules/billing/**', 'server/src/modules/admin/metrics-endpoint.test.ts'],
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})

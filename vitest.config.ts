import { defineConfig } from 'vitest/config'

// What stands on the database is tested twice, once on each; everything else once.
export const onBothDatabases = [
  'server/src/{modules,platform/{db,jobs},commands}/**/*.test.ts',
  'server/src/{app,access,scopes,shared-access}.test.ts',
]

// These stand on ffmpeg, on archives or on servers of others instead, and are slow. `npm run test:scale` runs them on PostgreSQL.
export const onOneDatabase = [
  'server/src/modules/admin/checks/counterparts.test.ts',
  'server/src/modules/files/downloads/{thumbnails,video-thumbnails}.test.ts',
  'server/src/modules/media/streaming/**/*.test.ts',
  'server/src/commands/importing/takeout/**/*.test.ts',
  'server/src/commands/{completion,parse-arguments,progress}.test.ts',
]

// What stands on the bytes is tested on an S3 store as well, on one of the databases.
export const onS3 = [
  'server/src/modules/uploads/**/*.test.ts',
  'server/src/modules/versions/**/*.test.ts',
  'server/src/modules/dav/remote/uploads.test.ts',
  'server/src/modules/files/downloads/{bytes,behind-nginx}.test.ts',
  'server/src/modules/storage/{digest,scrub}-blobs.test.ts',
  'server/src/commands/{verify,backups/backup,importing/import,exporting/export}.test.ts',
  'server/src/platform/http/nginx-bytes.test.ts',
]

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the processors of a small machine: tests wait for disks and clocks, too.
    maxWorkers: 3,
    // Files share a process, which has read the server's sources once: a third of the time. Each puts back what it replaces.
    isolate: false,
    // A machine that is busy with something else is slow, not wrong.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,stripe-sandbox}/src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'tools/**/*.test.mjs'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server-sqlite',
          include: ['server/src/**/*.test.ts'],
          env: { ALCOVE_TEST_DATABASE: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'server-s3',
          include: onS3,
          env: { ALCOVE_TEST_DATABASE: 'sqlite', ALCOVE_TEST_BLOBS: 's3' },
        },
      },
      {
        extends: true,
        test: {
          name: 'server-postgres',
          include: onBothDatabases,
          exclude: onOneDatabase,
          env: { ALCOVE_TEST_DATABASE: 'postgres' },
          globalSetup: 'server/src/testing/engines/postgres-global-setup.ts',
        },
      },
    ],
  },
})

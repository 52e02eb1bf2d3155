import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAppPassword } from '@alcove/contract/app-passwords'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { startS3 } from '@alcove/server/testing/engines/s3-engine'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { createTestDatabase } from '@alcove/server/testing/engines/test-databases'

/** A user of a running server, with an app password. */
export interface ServedAccount {
  readonly server: ServerProcess
  /** The address of the user's drive, with a slash at the end. */
  readonly davUrl: string
  readonly email: string
  readonly secret: string
  /** Makes calls of the API in the user's session. */
  readonly client: TestClient
  /** An empty folder for the files of the test. */
  readonly dir: string
  close(): Promise<void>
}

/** The kinds of databases and stores that a server can use. */
export const deployments = ['SQLite and disk', 'PostgreSQL and S3'] as const

/** Starts a server with one user, whose space is not limited. */
export async function serveAccount(
  deployment: (typeof deployments)[number] = 'SQLite and disk',
): Promise<ServedAccount> {
  const isLarge = deployment === 'PostgreSQL and S3'
  const database = isLarge ? await createTestDatabase() : undefined
  const s3 = isLarge ? await startS3() : undefined
  const server = await startServerProcess({
    ...(database && { ALCOVE_DATABASE_URL: database.url }),
    ...(s3 && {
      ALCOVE_S3_ENDPOINT: s3.settings.endpoint,
      ALCOVE_S3_BUCKET: s3.settings.bucket,
      ALCOVE_S3_REGION: s3.settings.region,
      ALCOVE_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
      ALCOVE_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
    }),
  })
  const { email, client } = await signUp(server.url, 'person@example.com', [server.dataDir])
  const { secret } = (await client.call(createAppPassword, { name: 'client', scope: 'write' })).body
  const dir = await mkdtemp(join(tmpdir(), 'alcove-client-'))
  return {
    ...{ server, email, secret, client, dir },
    davUrl: `${server.url}/dav/`,
    close: async () => {
      await server.stop()
      await s3?.stop()
      await database?.drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

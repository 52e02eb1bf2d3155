import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { runCommandProcess } from '@alcove/server/testing/clients/operator-process'
import { clientAt, clientThrough } from '@alcove/server/testing/clients/over-http'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { type Nginx, startNginx } from '@alcove/server/testing/engines/nginx-engine'
import { startS3 } from '@alcove/server/testing/engines/s3-engine'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { ownRedisUrl } from '@alcove/server/testing/engines/test-app'
import { createTestDatabase } from '@alcove/server/testing/engines/test-databases'
import { chooseAccount } from './engines/engine-process.ts'

/** Two servers as an operator runs them: with one database, one bucket, one Redis, and nginx in front. */
export interface Cluster {
  readonly servers: readonly [ServerProcess, ServerProcess]
  readonly nginx: Nginx
  /** The address of the database for a superuser. */
  readonly databaseUrl: string
  /** The data directories of the servers, which contain the outboxes. */
  readonly dataDirs: readonly string[]
  signUp(name: string): Promise<Person>
  /** Runs `alcove verify`. Throws if it finds anything. */
  verify(): Promise<void>
  close(): Promise<void>
}

/** A signed-in user. */
export interface Person {
  email: string
  token: string
  /** A client that goes through nginx, like every user. */
  client: TestClient
  /** Clients that talk to each server directly. */
  at: readonly [TestClient, TestClient]
}

export async function startCluster(): Promise<Cluster> {
  const database = await createTestDatabase()
  const s3 = await startS3()
  const operatorDir = await mkdtemp(join(tmpdir(), 'alcove-operator-'))
  const settings = {
    ALCOVE_PUBLIC_URL: 'https://alcove.test',
    ALCOVE_SECRET: randomBytes(16).toString('hex'),
    ALCOVE_DATABASE_URL: database.url,
    ALCOVE_S3_ENDPOINT: s3.settings.endpoint,
    ALCOVE_S3_BUCKET: s3.settings.bucket,
    ALCOVE_S3_REGION: s3.settings.region,
    ALCOVE_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
    ALCOVE_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
    ALCOVE_REDIS_URL: ownRedisUrl() ?? '',
    ALCOVE_RATE_LIMITS: 'on',
    ALCOVE_SEND_FILES: 'nginx',
  }
  // Both start at once, on an empty database.
  const servers = await Promise.all([startServerProcess(settings), startServerProcess(settings)])
  const dataDirs = servers.map(({ dataDir }) => dataDir)
  const nginx = await startNginx({
    servers: servers.map(({ url }) => new URL(url).host),
    s3Endpoint: s3.settings.endpoint,
    account: chooseAccount('www-data'),
  })
  return {
    servers,
    nginx,
    databaseUrl: database.url,
    dataDirs,
    signUp: async (name) => {
      const { email, token } = await signUp(servers[0].url, `${name}@example.com`, dataDirs)
      const at = [clientAt(servers[0].url, token), clientAt(servers[1].url, token)] as const
      return { email, token, client: clientThrough(nginx, token), at }
    },
    verify: async () => {
      const { code, output } = await runCommandProcess({ ...settings, ALCOVE_DATA_DIR: operatorDir }, 'verify')
      if (code !== 0) throw new Error(`verify ended with ${code}:\n${output}`)
    },
    close: async () => {
      await nginx.stop()
      await Promise.all(servers.map((server) => server.stop()))
      await rm(operatorDir, { recursive: true })
      await s3.stop()
      await database.drop()
    },
  }
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { S3Settings } from '../../config.ts'
import { createBucket } from './s3-client.ts'
import { respondAsS3, type S3Contents } from './s3-responses.ts'

/** Whether the apps of this test run store bytes on S3. */
export const isOnS3 = process.env.ALCOVE_TEST_BLOBS === 's3'

export interface S3Engine {
  settings: S3Settings
  /** Handles the next requests to the fake store instead of it. Returns true if it has handled one. */
  fault: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** Whether it is a real store, which may have other content. */
  isReal: boolean
  stop(): Promise<void>
}

/**
 * Starts an S3 store for tests. If ALCOVE_TEST_S3_ENDPOINT, _REGION, _ACCESS_KEY_ID and _SECRET_ACCESS_KEY name a real store,
 * it uses that, with a new bucket unless ALCOVE_TEST_S3_BUCKET names one. Otherwise it starts a fake store in this process.
 * The fake implements the part of the protocol that Alcove uses, and rejects what real stores reject: parts that are too
 * small, wrong digests, unknown uploads. It doesn't verify signatures.
 */
export async function startS3({ pageSize = 1000 }: { pageSize?: number } = {}): Promise<S3Engine> {
  const { env } = process
  if (env.ALCOVE_TEST_S3_ENDPOINT) {
    const given = {
      endpoint: env.ALCOVE_TEST_S3_ENDPOINT,
      bucket: env.ALCOVE_TEST_S3_BUCKET ?? '',
      region: env.ALCOVE_TEST_S3_REGION ?? 'us-east-1',
      accessKeyId: env.ALCOVE_TEST_S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: env.ALCOVE_TEST_S3_SECRET_ACCESS_KEY ?? '',
    }
    const own = given.bucket ? undefined : await createBucket(given)
    return { settings: own?.settings ?? given, fault: undefined, isReal: true, stop: async () => own?.remove() }
  }
  const contents: S3Contents = { bucket: 'bytes', pageSize, objects: new Map(), uploads: new Map() }
  const accessKeyId = randomBytes(8).toString('hex')
  const server = createServer((request, response) => {
    if (engine.fault?.(request, response)) return
    respondAsS3(contents, accessKeyId, request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const engine: S3Engine = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: contents.bucket,
      region: 'us-east-1',
      accessKeyId,
      secretAccessKey: 'secret',
    },
    fault: undefined,
    isReal: false,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return engine
}

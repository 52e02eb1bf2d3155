import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { S3Settings } from '../../config.ts'
import { createBucket } from './s3-client.ts'
import { respondAsS3, type S3Contents } from './s3-responses.ts'

/** Whether the apps of this test run keep their bytes on S3. */
export const isOnS3 = process.env.ALCOVE_TEST_BLOBS === 's3'

export interface S3Engine {
  settings: S3Settings
  /** Of the stand-in: whatever the next requests shall meet instead of a response. True: it has been met. */
  fault: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** Whether it is a store of somebody else's making, with other things in it. */
  isReal: boolean
  stop(): Promise<void>
}

/**
 * An S3 store for tests: the one that ALCOVE_TEST_S3_ENDPOINT, _REGION, _ACCESS_KEY_ID and _SECRET_ACCESS_KEY name, with
 * a bucket of its own unless ALCOVE_TEST_S3_BUCKET names one; or a stand-in in this process. The stand-in speaks as much
 * of the protocol as we do, and refuses what real stores refuse of it: parts that are too small, wrong digests, unknown
 * uploads. It does not verify signatures.
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

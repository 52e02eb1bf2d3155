import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import type { Digester } from '../../platform/digests/digester.ts'
import { WorkRefusedError } from '../../platform/processes/work-process.ts'
import {
  BYTES_MISSING,
  describeDifference,
  describeReadFailure,
  isMissing,
  measureBytes,
  type RecordedBlob,
} from './measure-blob.ts'

/** After so many milliseconds of reading it rests as long. */
const STRETCH = 50

type Scrubbing = Pick<Services, 'blobs' | 'config'>

/**
 * Reads a blob with little effort and says what is wrong with it; undefined where it is as it was stored. Where the store or
 * a process cannot be had, that is thrown: it is no fault of the blob. One whose digest is not known is measured alone.
 */
export async function findDamage(
  { blobs, config }: Scrubbing,
  blob: RecordedBlob,
  { digester, signal }: { digester: Digester; signal: AbortSignal },
): Promise<string | undefined> {
  const size = await blobs.sizeOf(blob.key)
  if (size === undefined) return BYTES_MISSING
  if (blob.sha256 === null || size !== blob.size) return describeDifference(blob, { size, sha256: '' })
  // For few bytes no process is needed.
  const digest = async (content: Uint8Array | string) =>
    typeof content === 'string' ? digester.digest(content, signal) : hash('sha256', content)
  try {
    // From S3 all bytes come through this process anyway: a copy for another one would cost a disk as much again.
    const { sha256 } = config.s3
      ? await measureBytes(pace(blobs.openStream(blob.key), signal))
      : { sha256: await blobs.withContent(blob.key, digest) }
    return describeDifference(blob, { size, sha256 })
  } catch (error) {
    if (error instanceof WorkRefusedError) return `it cannot be read (${error.message})`
    if (isMissing(error)) return describeReadFailure(error)
    throw error
  }
}

/** As much rest as work. */
async function* pace(bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  let start = performance.now()
  for await (const chunk of bytes) {
    signal.throwIfAborted()
    yield chunk
    const worked = performance.now() - start
    if (worked < STRETCH) continue
    await wait(worked, undefined, { signal })
    start = performance.now()
  }
}

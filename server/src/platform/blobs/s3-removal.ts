import { keyAt } from './blob-store.ts'
import type { S3Bucket } from './s3-bucket.ts'
import type { S3Connections } from './s3-complete.ts'
import { BLOBS, CHUNKS, isOurs, keyOfName } from './s3-layout.ts'

type FindUnused = (keys: string[]) => Promise<Set<string>>

/** Removes unused objects, uploads and staging files that are older than `olderThan`. */
export async function sweepS3(
  { bucket, incomplete, staging }: S3Connections,
  olderThan: number,
  findUsed: (keys: string[]) => Promise<Set<string>>,
): Promise<number> {
  const findUnused: FindUnused = async (keys) => {
    const used = await findUsed([...new Set(keys)])
    return new Set(keys.filter((key) => !used.has(key)))
  }
  let removed = 0
  for (const stagingKey of await findUnused(await staging.listOlderThan(olderThan))) {
    await staging.drop({ stagingKey })
    removed++
  }
  for (const prefix of [BLOBS, CHUNKS]) removed += await sweepObjects(bucket, prefix, olderThan, findUnused)
  removed += await sweepUploads(bucket, olderThan, findUnused)
  for await (const keys of incomplete.listKeysBelow(keyAt(olderThan))) {
    await incomplete.forget([...(await findUnused(keys))])
  }
  return removed
}

/** Keys rise with time, so younger objects come after older ones and need not be listed. */
async function sweepObjects(
  bucket: S3Bucket,
  prefix: string,
  olderThan: number,
  findUnused: FindUnused,
): Promise<number> {
  let removed = 0
  for await (const page of bucket.list(prefix, prefix + keyAt(olderThan))) {
    const ours = page.map(({ name }) => name).filter(isOurs)
    const unused = await findUnused(ours.map(keyOfName))
    const names = ours.filter((name) => unused.has(keyOfName(name)))
    if (names.length > 0) await bucket.remove(names)
    removed += names.length
  }
  return removed
}

async function sweepUploads(bucket: S3Bucket, olderThan: number, findUnused: FindUnused): Promise<number> {
  let removed = 0
  for await (const uploads of bucket.listUploads(BLOBS)) {
    const old = uploads.filter(({ name, startedAt }) => isOurs(name) && startedAt < olderThan)
    const unused = await findUnused(old.map(({ name }) => keyOfName(name)))
    for (const { name, uploadId } of old.filter((upload) => unused.has(keyOfName(upload.name)))) {
      await bucket.abortUpload(name, uploadId)
      removed++
    }
  }
  return removed
}

interface Waiting {
  key: string
  resolve: () => void
  reject: (error: unknown) => void
}

/** Batches removals that come at about the same time into one request. */
export class RemovalBatcher {
  readonly #max: number
  readonly #removeAll: (keys: string[]) => Promise<void>
  #waiting: Waiting[] = []

  constructor(max: number, removeAll: (keys: string[]) => Promise<void>) {
    this.#max = max
    this.#removeAll = removeAll
  }

  /** Resolves when the batch of this key has been removed. */
  remove(key: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (this.#waiting.length === 0) setImmediate(() => this.#removeNext())
    this.#waiting.push({ key, resolve, reject })
    return promise
  }

  #removeNext(): void {
    const some = this.#waiting.splice(0, this.#max)
    if (this.#waiting.length > 0) setImmediate(() => this.#removeNext())
    this.#removeAll(some.map(({ key }) => key)).then(
      () => {
        for (const { resolve } of some) resolve()
      },
      (error: unknown) => {
        for (const { reject } of some) reject(error)
      },
    )
  }
}

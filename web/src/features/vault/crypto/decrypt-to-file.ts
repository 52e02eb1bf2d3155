import { type Ciphertext, openCiphertext } from './ciphertext.ts'
import { readHeader, sizeInEnvelope } from './envelope.ts'
import { type FieldElement, toElement } from './field.ts'
import type { Secret } from './file-key.ts'
import { appendSum, blocksIn, tagOf } from './gcm.ts'
import type { DecryptedBatch } from './jobs.ts'
import { unlock } from './open-envelope.ts'
import { createPrivateFile, inMemory, type PrivateFile } from './private-file.ts'
import { collectAfter } from './release.ts'
import { splitEnvelope } from './split-envelope.ts'
import { VaultFailure } from './vault-failure.ts'
import { parallelJobs, runJob } from './worker-pool.ts'

export interface DecryptOptions {
  /** The name and type that the file gets. */
  readonly name: string
  readonly type?: string
  /** What was stored beside the file (`vaultCheck`); a wrong passphrase is then known before the bytes are fetched. */
  readonly checkValue?: string
  readonly signal?: AbortSignal
  /** Told how many bytes of the file are decrypted, and how many it has. */
  readonly onProgress?: (done: number, size: number) => void
}

/** A file whose tag was right. It may lie in the browser's private storage. */
export interface DecryptedFile {
  readonly file: File
  /** Removes it from there; whoever still reads it fails. What is not discarded goes when the page was left. */
  discard(): Promise<void>
}

const STRETCH_LENGTH = 2 * 1024 * 1024
/** Files of up to this size never touch the disk. */
const SMALL = 32 * 1024 * 1024

/**
 * Decrypts a file as a stream, in constant memory, and gives it out only when its tag was right to the end. Small ones
 * stay in memory, larger ones go to the origin private file system where there is one. After a failure nothing is left.
 * Rejects with a `VaultFailure`, or with the reason of the signal.
 */
export async function decryptToFile(
  ciphertext: Ciphertext,
  secret: Secret,
  options: DecryptOptions,
): Promise<DecryptedFile> {
  const { total, bytes } = await openCiphertext(ciphertext, { start: 0, signal: options.signal })
  const size = sizeInEnvelope(total)
  if (size === undefined) throw new VaultFailure('too-short')
  const place = size > SMALL ? await createPrivateFile() : inMemory()
  try {
    await decryptInto(place, bytes, secret, size, options)
    const { name, type } = options
    return { file: new File([await place.finish()], name, { type }), discard: place.remove }
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** Writes the decrypted bytes in their order, and throws unless the tag at the end was that of all of them. */
async function decryptInto(
  place: PrivateFile,
  bytes: AsyncIterable<Uint8Array>,
  secret: Secret,
  size: number,
  { checkValue, signal, onProgress }: DecryptOptions,
): Promise<void> {
  // New memory for each stretch would cost as much as decrypting it.
  const spare: ArrayBuffer[] = []
  const parts = splitEnvelope(bytes, STRETCH_LENGTH, () => spare.pop())
  try {
    const { header, key } = await unlockFirst(parts, secret, checkValue)
    const running: Promise<DecryptedBatch>[] = []
    let sum: FieldElement = 0n
    let done = 0
    let writing: Promise<void> | undefined
    const settleFirst = async () => {
      const batch = await running.shift()
      signal?.throwIfAborted()
      if (!batch) return
      sum = appendSum(key, sum, batch.sum, blocksIn(batch.bytes.length))
      done += batch.bytes.length
      collectAfter(batch.bytes.length)
      onProgress?.(done, size)
      await writing
      writing = place.write(batch.bytes).then((buffer) => void (buffer && spare.push(buffer)))
      writing.catch(() => undefined) // it is thrown when it is waited for
    }
    let taken = 0
    for await (const { kind, bytes: ciphertext } of parts) {
      if (kind === 'stretch') {
        if (running.length >= parallelJobs()) await settleFirst()
        const order = { key, iv: header.iv, first: blocksIn(taken), bytes: ciphertext }
        taken += ciphertext.length
        const batch = runJob('decryptBatch', order, [ciphertext.buffer])
        batch.catch(() => undefined) // it is thrown when its turn comes, if none before it was
        running.push(batch)
      } else if (kind === 'tag') {
        while (running.length > 0) await settleFirst()
        await writing
        const tag = await tagOf(key, header.iv, sum, done)
        if (toElement(tag) !== toElement(ciphertext)) {
          throw new VaultFailure(checkValue === undefined ? 'wrong-passphrase-or-damaged' : 'damaged')
        }
      }
    }
  } finally {
    await parts.return() // nothing more of it is wanted, whatever happened
  }
}

async function unlockFirst(parts: ReturnType<typeof splitEnvelope>, secret: Secret, checkValue: string | undefined) {
  const { value: first } = await parts.next()
  if (first?.kind !== 'header') throw new VaultFailure('too-short')
  const header = readHeader(first.bytes)
  return { header, key: await unlock(header, secret, checkValue) }
}

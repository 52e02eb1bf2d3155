import { HEADER_LENGTH, TAG_LENGTH } from './envelope.ts'
import { VaultFailure } from './vault-failure.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What an envelope consists of, as it arrives: one header, any number of stretches of ciphertext, one tag. */
export type EnvelopePart =
  | { readonly kind: 'header'; readonly bytes: Bytes }
  | { readonly kind: 'stretch'; readonly bytes: Bytes }
  | { readonly kind: 'tag'; readonly bytes: Bytes }

/**
 * Cuts an envelope of unknown length; what could be the tag is held back until more has come. Whoever gets bytes gets
 * their buffer with them: nothing is written to it any more, unless `takeSpare` gives it back when it is not needed.
 */
export async function* splitEnvelope(
  stream: AsyncIterable<Uint8Array>,
  batchLength: number,
  takeSpare: () => ArrayBuffer | undefined = () => undefined,
): AsyncGenerator<EnvelopePart, void, void> {
  let buffer = new Uint8Array(HEADER_LENGTH)
  let filled = 0
  let isHeader = true
  for await (const bytes of stream) {
    for (let taken = 0; taken < bytes.length; ) {
      const some = bytes.subarray(taken, taken + buffer.length - filled)
      buffer.set(some, filled)
      filled += some.length
      taken += some.length
      if (filled < buffer.length) continue
      const next = new Uint8Array(takeSpare() ?? new ArrayBuffer(batchLength + TAG_LENGTH))
      filled = isHeader ? 0 : TAG_LENGTH
      if (!isHeader) next.set(buffer.subarray(batchLength))
      yield isHeader ? { kind: 'header', bytes: buffer } : { kind: 'stretch', bytes: buffer.subarray(0, batchLength) }
      buffer = next
      isHeader = false
    }
  }
  if (isHeader || filled < TAG_LENGTH) throw new VaultFailure('too-short')
  const end = filled - TAG_LENGTH
  const tag = buffer.slice(end, filled)
  if (end > 0) yield { kind: 'stretch', bytes: buffer.subarray(0, end) }
  yield { kind: 'tag', bytes: tag }
}

import { expect, test } from 'vitest'
import { readPieces } from './ciphertext.ts'
import { randomBytes } from './testing/one-shot.ts'

type Bytes = Uint8Array<ArrayBuffer>

const whole = randomBytes(1_500_000)

/** A stream as in browsers without byte streams. */
function plainStream(): ReadableStream<Bytes> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent === whole.length) return controller.close()
      controller.enqueue(whole.slice(sent, sent + 100_000))
      sent += 100_000
    },
  })
}

async function collect(pieces: AsyncIterable<Bytes>): Promise<{ all: Buffer; kept: Bytes[] }> {
  const all: Buffer[] = []
  const kept: Bytes[] = []
  for await (const piece of pieces) {
    all.push(Buffer.from(piece.slice()))
    kept.push(piece)
  }
  return { all: Buffer.concat(all), kept }
}

test('reads all bytes of a byte stream and of a plain one, and releases the pieces', async () => {
  const byteStream = new Response(whole.slice()).body as ReadableStream<Bytes>
  expect(() => plainStream().getReader({ mode: 'byob' })).toThrow(TypeError)
  for (const stream of [byteStream, plainStream()]) {
    const { all, kept } = await collect(readPieces(stream, undefined))
    expect(all.equals(whole)).toBe(true)
    // The memory of each piece was reused or released, so that the pieces don't add up to the size of the file.
    expect(kept.every(({ byteLength }) => byteLength === 0)).toBe(true)
  }
})

test('cancels the stream when the consumer stops early, or with the reason of the signal', async () => {
  let cancelled = 0
  const endless = () =>
    new ReadableStream<Bytes>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => {
        cancelled += 1
      },
    })
  for await (const _ of readPieces(endless(), undefined)) break
  expect(cancelled).toBe(1)
  const stop = new AbortController()
  const pieces = readPieces(endless(), stop.signal)
  await pieces.next()
  stop.abort(new Error('Enough.'))
  await expect(pieces.next()).rejects.toThrow('Enough.')
  expect(cancelled).toBe(2)
})

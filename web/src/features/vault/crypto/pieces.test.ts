import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'
import { randomBytes } from './testing/one-shot.ts'

type Bytes = Uint8Array<ArrayBuffer>

const whole = randomBytes(1_500_000)

/** As browsers without byte streams give it. */
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

test('all bytes come, whether the stream can fill a buffer of ours or not, and what was read is gone', async () => {
  const byteStream = new Response(whole.slice()).body as ReadableStream<Bytes>
  expect(() => plainStream().getReader({ mode: 'byob' })).toThrow(TypeError)
  for (const stream of [byteStream, plainStream()]) {
    const { all, kept } = await collect(readPieces(stream, undefined))
    expect(all.equals(whole)).toBe(true)
    // The memory of each has been handed on, or freed: nothing keeps a file's size of pieces.
    expect(kept.every(({ byteLength }) => byteLength === 0)).toBe(true)
  }
})

test('whoever stops early ends the stream, and a signal stops it with its reason', async () => {
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

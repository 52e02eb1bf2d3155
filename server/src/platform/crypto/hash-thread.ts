import { createHash, type Hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

/** What a thread gets: bytes of a stream, which it hashes and returns; the end of the stream; or word that nobody needs it any more. */
export type HashOrder = { stream: number } & ({ slot: number; length: number } | { end: true } | { drop: true })

/** What it reports: that a slot has been read, or the digests of a stream by algorithm. */
export type HashReport = { slot: number } | { stream: number; digests: Record<string, string> }

const { algorithms, slots } = workerData as { algorithms: string[]; slots: Uint8Array[] }
const port = parentPort as NonNullable<typeof parentPort>
const streams = new Map<number, Hash[]>()

port.on('message', (order: HashOrder) => {
  const { stream } = order
  if ('drop' in order) {
    streams.delete(stream)
    return
  }
  const hashes = streams.get(stream) ?? algorithms.map((algorithm) => createHash(algorithm))
  if ('end' in order) {
    streams.delete(stream)
    const digests = Object.fromEntries(algorithms.map((name, index) => [name, (hashes[index] as Hash).digest('hex')]))
    port.postMessage({ stream, digests } satisfies HashReport)
    return
  }
  streams.set(stream, hashes)
  const bytes = (slots[order.slot] as Uint8Array).subarray(0, order.length)
  for (const one of hashes) one.update(bytes)
  port.postMessage({ slot: order.slot } satisfies HashReport)
})

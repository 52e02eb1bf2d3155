import type { Readable } from 'node:stream'

/** A part of a stream. The next part begins when its bytes have been read. */
interface StreamPart {
  bytes: AsyncIterable<Buffer>
  /** Returns whether the stream has no other part. Known when its bytes have been read. */
  isOnly(): boolean
}

/** Splits a stream into parts of `partSize` bytes and a shorter last one. An empty stream is one empty part. */
export async function* splitStream(stream: Readable, partSize: number): AsyncGenerator<StreamPart> {
  const buffers = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let next: IteratorResult<Buffer> = { done: false, value: Buffer.alloc(0) }

  async function* readPart(): AsyncGenerator<Buffer> {
    for (let left = partSize; !next.done; next = await buffers.next()) {
      const buffer: Buffer = next.value
      if (buffer.length > left) {
        next = { done: false, value: buffer.subarray(left) }
        if (left > 0) yield buffer.subarray(0, left)
        return
      }
      left -= buffer.length
      if (buffer.length > 0) yield buffer
    }
  }

  try {
    for (let isFirst = true; isFirst || !next.done; isFirst = false) {
      const isOnly = () => isFirst && next.done === true
      yield { bytes: readPart(), isOnly }
    }
  } finally {
    stream.destroy()
  }
}

import { release } from './release.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Longer pieces are hardly any faster. */
const PIECE = 512 * 1024

/**
 * Reads a stream to its end. A piece is used up when the next is asked for: its memory is then written to again, or gone.
 * Rejects as the stream does, or with the reason of the signal.
 */
export async function* readPieces(
  stream: ReadableStream<Bytes>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Bytes, void, void> {
  const reader = openReader(stream)
  try {
    while (true) {
      signal?.throwIfAborted()
      const bytes = await reader.read()
      if (!bytes) return
      yield bytes
      reader.takeBack(bytes)
    }
  } finally {
    reader.cancel().catch(() => undefined) // whoever stops listening wants no more of it
  }
}

interface PieceReader {
  /** Undefined at the end. */
  read(): Promise<Bytes | undefined>
  takeBack(bytes: Bytes): void
  cancel(): Promise<void>
}

function openReader(stream: ReadableStream<Bytes>): PieceReader {
  try {
    return intoOneBuffer(stream.getReader({ mode: 'byob' }))
  } catch {
    return asItComes(stream.getReader())
  }
}

/** Has the browser write all pieces to the same memory. It would make a file's size of pieces otherwise. */
function intoOneBuffer(reader: ReadableStreamBYOBReader): PieceReader {
  let buffer = new ArrayBuffer(PIECE)
  return {
    async read() {
      const { value, done } = await reader.read(new Uint8Array(buffer))
      return done ? undefined : value
    },
    takeBack: (bytes) => {
      buffer = bytes.buffer
    },
    cancel: () => reader.cancel(),
  }
}

/** For browsers that cannot do that, such as Safari before version 26.4. */
function asItComes(reader: ReadableStreamDefaultReader<Bytes>): PieceReader {
  return {
    read: async () => (await reader.read()).value,
    takeBack: release,
    cancel: () => reader.cancel(),
  }
}

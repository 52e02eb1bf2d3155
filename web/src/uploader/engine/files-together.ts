import { MAX_BYTES_TOGETHER, MAX_FILES_TOGETHER, MAX_FORM_FIELD } from '@alcove/contract/limits'
import type { SmallFile } from '@alcove/contract/uploads'
import type { ChunkFields, ChunkResponse, SendChunkOptions } from '../transport/upload-transport.ts'
import type { ChunkBytes } from './upload-source.ts'

/** A small file that is to be sent, by itself or with others. */
export interface WaitingFile {
  readonly fields: ChunkFields
  readonly chunk: ChunkBytes
  readonly description: SmallFile
  /** Bytes of its description as JSON. */
  readonly descriptionSize: number
  readonly options: SendChunkOptions
  readonly resolve: (response: ChunkResponse) => void
  readonly reject: (error: unknown) => void
  /** It has to go by itself: with others it was not understood. */
  isAlone: boolean
}

/** What the list that describes the files takes beside them: its brackets, and a comma for each. */
const BRACKETS = 2
const COMMA = 1

/** Takes from what waits, in its order, as much as one request can bring. */
export function takeTogether(waiting: Set<WaitingFile>): WaitingFile[] {
  const taken: WaitingFile[] = []
  let bytes = 0
  let described = BRACKETS
  for (const file of waiting) {
    bytes += Number(file.description.size)
    described += file.descriptionSize + COMMA
    const isTooMuch = bytes > MAX_BYTES_TOGETHER || described > MAX_FORM_FIELD
    if (file.isAlone || isTooMuch || taken.length === MAX_FILES_TOGETHER) break
    taken.push(file)
    waiting.delete(file)
  }
  return taken
}

/** What the server is told of a file, of the fields that it would be told if it came by itself. */
export function describe({
  chunkIndex,
  totalChunks,
  totalSize,
  chunkSize,
  complete,
  ...rest
}: ChunkFields): Pick<WaitingFile, 'description' | 'descriptionSize'> {
  const description: SmallFile = { ...rest, size: totalSize ?? 0 }
  return { description, descriptionSize: new TextEncoder().encode(JSON.stringify(description)).length }
}

/**
 * Those of the files that can be read and that nobody has given up, with all their bytes. One that cannot be read any
 * more fails as its own request would, and does not hold up the others.
 */
export async function readAll(
  files: readonly WaitingFile[],
): Promise<{ files: WaitingFile[]; bytes: Uint8Array<ArrayBuffer> }> {
  const read = await Promise.all(
    files.map(async (file) => {
      const { chunk, description, options, reject } = file
      try {
        const bytes = chunk instanceof Blob ? new Uint8Array(await chunk.arrayBuffer()) : chunk
        if (bytes.length === Number(description.size)) return options.signal.aborted ? [] : [{ file, bytes }]
        reject(new TypeError('The file has another size by now.'))
      } catch {
        reject(new TypeError('The file could not be read.'))
      }
      return []
    }),
  )
  const readable = read.flat()
  return { files: readable.map(({ file }) => file), bytes: concatenate(readable.map(({ bytes }) => bytes)) }
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0))
  let position = 0
  for (const piece of pieces) {
    whole.set(piece, position)
    position += piece.length
  }
  return whole
}

/** Tells each file how much of it has left: they go one behind the other. */
export function report(files: readonly WaitingFile[], sent: number): void {
  let start = 0
  for (const { description, options } of files) {
    const size = Number(description.size)
    if (!options.signal.aborted && sent > start) options.onProgress(Math.min(sent - start, size))
    start += size
  }
}

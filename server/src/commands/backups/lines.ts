import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Lines are handed on in pieces of about this many characters. */
const PIECE = 64 * 1024

export interface WrittenLines {
  rows: number
  /** Of the file as it lies there. */
  sha256: string
}

/** Writes rows as lines of JSON, compressed, into a new file, and brings it to stable storage. */
export async function writeLines(path: string, rows: AsyncIterable<object>): Promise<WrittenLines> {
  const digest = createHash('sha256')
  let count = 0
  async function* toText() {
    let piece = ''
    for await (const row of rows) {
      count += 1
      piece += `${JSON.stringify(row)}\n`
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
    yield piece
  }
  async function* digested(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      digest.update(piece)
      yield piece
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(toText()), createGzip({ level: 3 }), digested, file)
  return { rows: count, sha256: digest.digest('hex') }
}

/** The rows of such a file, one after the other. */
export async function* readLines<Row>(path: string): AsyncGenerator<Row> {
  const file = createReadStream(path)
  const text = createGunzip().setEncoding('utf8')
  file.on('error', (error) => text.destroy(error))
  let rest = ''
  try {
    for await (const piece of file.pipe(text) as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() as string
      for (const line of lines) yield JSON.parse(line) as Row
    }
  } finally {
    file.destroy()
  }
}

export async function digestFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}

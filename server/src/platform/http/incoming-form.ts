import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { MAX_CHUNK_SIZE, MAX_FORM_FIELD } from '@alcove/contract/limits'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { abortWhenIdle } from './idle-timeout.ts'

/** A form with one file, read as it comes: what stands before the file is known at once, the rest after its bytes. */
export interface IncomingForm {
  /** The fields before the file. */
  readonly fields: Readonly<Record<string, string>>
  readonly file: Readable
  /** How many bytes the file has if the form is written as browsers do; undefined where its length is not known. */
  readonly estimatedSize: number | undefined
  /** All fields, once the bytes have been read; the same object when none came after them. */
  readRest(): Promise<Readonly<Record<string, string>>>
  /** Somebody waits for its end: whoever sends nothing for a moment is cut off. */
  hurry(): void
}

/** The default marks of 64 KiB would cost a third of the speed. */
const HIGH_WATER_MARK = 1024 * 1024
const LIMITS = {
  files: 1,
  fields: 40,
  fieldSize: MAX_FORM_FIELD,
  fieldNameSize: 100,
  // One byte more than is allowed: the store tells a chunk that is too large from one that just fits.
  fileSize: MAX_CHUNK_SIZE + 1,
}

/** Leaves forms alone, for `readForm` to read them. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
}

/** Reads a form up to its file. */
export async function readForm({ raw }: FastifyRequest): Promise<IncomingForm> {
  if (!raw.headers['content-type']?.startsWith('multipart/form-data')) {
    throw new AppError('malformed', 'This call takes a multipart form.')
  }
  // Who leaves while the session is looked up is not heard leaving any more.
  if (raw.destroyed) throw malformed()
  const parser = createParser(raw.headers as BusboyHeaders)
  const fields: Record<string, string> = {}
  let afterFile: Record<string, string> | undefined
  parser.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) return parser.destroy(malformed())
    if (afterFile) afterFile[name] = value
    else fields[name] = value
  })
  // It may fail when nobody waits for it any more.
  parser.on('error', () => {})
  const ended = once(parser, 'finish').then(
    () => undefined,
    () => Promise.reject(malformed()),
  )
  // Whoever awaits it is told; nobody may be, when the file was refused.
  ended.catch(() => {})
  raw.once('close', () => {
    // Also where all has arrived, since what was not read yet goes with the connection.
    if (!raw.readableEnded) parser.destroy(new Error('aborted'))
  })
  const { hurry } = abortWhenIdle(raw)
  let estimatedSize: number | undefined
  const file = await new Promise<Readable | undefined>((resolve, reject) => {
    parser.once('file', (name, stream, filename, _encoding, mimeType) => {
      afterFile = {}
      estimatedSize = estimateFileSize(raw.headers, fields, { name, filename, mimeType })
      // The client may go away before anyone reads: whoever reads then is told, but the process must not end of it.
      stream.on('error', () => {})
      parser.once('error', (error) => stream.destroy(error as Error))
      resolve(stream)
    })
    ended.then(resolve, reject)
    raw.pipe(parser)
  })
  if (!file) throw new AppError('malformed', 'The chunk is missing.')
  return {
    fields,
    file,
    estimatedSize,
    readRest: async () => {
      await ended
      return afterFile && Object.keys(afterFile).length > 0 ? { ...fields, ...afterFile } : fields
    },
    hurry,
  }
}

/** What is left of the body when everything that stands around the file is taken off (RFC 7578). */
function estimateFileSize(
  headers: IncomingHttpHeaders,
  fields: Readonly<Record<string, string>>,
  { name, filename, mimeType }: { name: string; filename: string; mimeType: string },
): number | undefined {
  const length = headers['content-length']
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1]
  if (length === undefined || boundary === undefined) return undefined
  const line = `--${boundary}\r\nContent-Disposition: form-data; name=""\r\n\r\n\r\n`.length
  const ofFields = Object.entries(fields).map(([key, value]) => line + Buffer.byteLength(key + value))
  const ofFile = line + Buffer.byteLength(`${name}; filename="${filename}"\r\nContent-Type: ${mimeType}`)
  const end = `--${boundary}--\r\n`.length
  const around = ofFields.reduce((sum, bytes) => sum + bytes, ofFile + end)
  return Math.max(0, Number(length) - around)
}

function createParser(headers: BusboyHeaders) {
  try {
    return new Busboy({ headers, limits: LIMITS, highWaterMark: HIGH_WATER_MARK, fileHwm: HIGH_WATER_MARK })
  } catch {
    throw malformed()
  }
}

function malformed(): AppError {
  return new AppError('malformed', 'The form is malformed.')
}

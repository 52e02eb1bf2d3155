// SURPRISE: forms are read by the parser itself, without Fastify's plugin, with buffers of 1 MiB.
// Measured: the default buffers of 64 KiB cost a third of the speed (docs/decisions/004-speed-where-it-is-measured.md).
// Remove it when: the plugin takes these settings and gives the fields before the file at once.

import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { MAX_CHUNK_SIZE, MAX_FORM_FIELD } from '@alcove/contract/limits'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { hasLittleMemory } from '../processes/operating-system.ts'
import { abortWhenIdle } from './request-bodies.ts'

/** A form with one file, read as a stream: fields before the file are known at once, the others after its bytes. */
export interface IncomingForm {
  /** The fields before the file. */
  readonly fields: Readonly<Record<string, string>>
  readonly file: Readable
  /** The size of the file, if the form is written as browsers do; undefined if the length of the body is unknown. */
  readonly estimatedSize: number | undefined
  /** Returns all fields after the bytes have been read; the same object as `fields` if none came after the file. */
  readRest(): Promise<Readonly<Record<string, string>>>
  /** Shortens the idle timeout, because another request waits for this one to end. */
  hurry(): void
}

/** Each of many uploads at a time may fill two of these. */
const HIGH_WATER_MARK = (hasLittleMemory() ? 1 / 8 : 1) * 1024 * 1024
const LIMITS = {
  files: 1,
  fields: 40,
  fieldSize: MAX_FORM_FIELD,
  fieldNameSize: 100,
  // One byte more than allowed, so that the store can tell a chunk that is too large from one that just fits.
  fileSize: MAX_CHUNK_SIZE + 1,
}

/** Keeps Fastify from parsing forms: `readForm` does. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
}

/** Reads a form up to the start of its file. */
export async function readForm({ raw }: FastifyRequest): Promise<IncomingForm> {
  if (!raw.headers['content-type']?.startsWith('multipart/form-data')) {
    throw new AppError('malformed', 'This call expects a multipart form.')
  }
  // A client that disconnected while its session was looked up emits no further event.
  if (raw.destroyed) throw malformed()
  const parser = createParser(raw.headers as BusboyHeaders)
  const fields: Record<string, string> = {}
  let afterFile: Record<string, string> | undefined
  parser.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) return parser.destroy(malformed())
    if (afterFile) afterFile[name] = value
    else fields[name] = value
  })
  // An error may come after everybody has stopped waiting; it must not end the process.
  parser.on('error', () => {})
  const ended = once(parser, 'finish').then(
    () => undefined,
    () => Promise.reject(malformed()),
  )
  // `readRest` reports the rejection. If the file was refused, nobody calls it.
  ended.catch(() => {})
  raw.once('close', () => {
    // Even if everything has arrived: unread bytes are lost with the connection.
    if (!raw.readableEnded) parser.destroy(new Error('aborted'))
  })
  const { hurry } = abortWhenIdle(raw)
  let estimatedSize: number | undefined
  const file = await new Promise<Readable | undefined>((resolve, reject) => {
    parser.once('file', (name, stream, filename, _encoding, mimeType) => {
      afterFile = {}
      estimatedSize = estimateFileSize(raw.headers, fields, { name, filename, mimeType })
      // The client may disconnect before anyone reads. A later reader gets the error; it must not end the process.
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

/** Estimates the size of the file: the length of the body without fields, headers and boundaries (RFC 7578). */
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

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import * as s3 from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config.ts'
import { type ByteRange, ObjectMissingError } from './blob-store.ts'
import { signGet } from './sign-get.ts'
import type { StagedBytes } from './staging-files.ts'
import { isPassing, STORE_TIMES, type StoreTimes, statusOf, withRetries } from './store-retries.ts'

/** The maximum number of names in one deletion. */
export const MAX_REMOVED = 1000
const MAX_CONNECTIONS = 512
const PROBE_TIMEOUT = 5000
const say = () => {}
const SILENT = { debug: say, info: say, warn: say, error: say }

/** An object as the store lists it. */
export interface StoredObject {
  name: string
  size: number
  modifiedAt: number
}

/** A part as the store lists it. */
export interface StoredPart {
  etag: string
  size: number
}

export interface OpenUpload {
  name: string
  uploadId: string
  startedAt: number
}

/** One bucket of an S3 store. Retries calls where that may help and reduces responses to what the server needs. */
export class S3Bucket {
  readonly #client: s3.S3Client
  readonly #settings: S3Settings
  readonly #bucket: string
  readonly #times: StoreTimes

  constructor(settings: S3Settings, times: StoreTimes = STORE_TIMES) {
    this.#settings = settings
    this.#bucket = settings.bucket
    this.#times = times
    this.#client = new s3.S3Client({
      endpoint: settings.endpoint,
      region: settings.region,
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      forcePathStyle: true,
      // Older stores reject the newer checksums; all stores verify Content-MD5.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // `withRetries` decides about retries, because bodies must be opened again for each attempt.
      maxAttempts: 1,
      // The SDK would log attempts that are retried. Final failures are thrown.
      logger: SILENT,
      requestHandler: {
        connectionTimeout: times.connect,
        socketTimeout: times.idle,
        httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
        httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      },
    })
    addDigestToDeletions(this.#client)
  }

  close(): void {
    this.#client.destroy()
  }

  /** Checks the state of the store with one request and a short timeout. */
  async probe(): Promise<'ready' | 'missing' | 'refused' | 'away'> {
    try {
      const probe = new s3.HeadBucketCommand({ Bucket: this.#bucket })
      await this.#client.send(probe, { abortSignal: AbortSignal.timeout(PROBE_TIMEOUT) })
      return 'ready'
    } catch (error) {
      const status = statusOf(error) ?? 500
      if (status >= 500) return 'away'
      return status === 404 ? 'missing' : 'refused'
    }
  }

  async put(name: string, bytes: StagedBytes): Promise<void> {
    await this.#try(() =>
      withBody(bytes, (body) => this.#client.send(new s3.PutObjectCommand({ ...this.#at(name), ...body }))),
    )
  }

  /** Returns an object, or a range of it, with its total size; undefined if it is missing. */
  async get(name: string, range?: ByteRange): Promise<{ body: Readable; size: number } | undefined> {
    const part = range && { Range: `bytes=${range.start}-${range.end}` }
    const got = await this.#find(() => this.#client.send(new s3.GetObjectCommand({ ...this.#at(name), ...part })))
    if (!got) return undefined
    const whole = got.ContentRange?.split('/')[1]
    return { body: got.Body as Readable, size: whole === undefined ? (got.ContentLength ?? 0) : Number(whole) }
  }

  /** Returns a presigned path and query, below the endpoint, with which nginx can read an object for a few minutes. */
  signAddress(name: string): string {
    return signGet(this.#settings, `${this.#bucket}/${name}`, new Date())
  }

  async find(name: string): Promise<StoredObject | undefined> {
    const found = await this.#find(() => this.#client.send(new s3.HeadObjectCommand(this.#at(name))))
    return found && { name, size: found.ContentLength ?? 0, modifiedAt: found.LastModified?.getTime() ?? 0 }
  }

  /** Lists the objects with a prefix in the order of their names, up to `end`, a page at a time. */
  async *list(prefix: string, end?: string): AsyncGenerator<StoredObject[]> {
    for (let token: string | undefined, isDone = false; !isDone; ) {
      const input = { Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }
      const page = await this.#try(() => this.#client.send(new s3.ListObjectsV2Command(input)))
      const objects = (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
        name: Key,
        size: Size,
        modifiedAt: LastModified?.getTime() ?? 0,
      }))
      const wanted = objects.filter(({ name }) => end === undefined || name < end)
      if (wanted.length > 0) yield wanted
      token = page.NextContinuationToken
      isDone = !page.IsTruncated || token === undefined || wanted.length < objects.length
    }
  }

  /** Removes up to 1000 objects. Missing objects are no error. */
  async remove(names: readonly string[]): Promise<void> {
    const Delete = { Objects: names.map((Key) => ({ Key })), Quiet: true }
    const { Errors = [] } = await this.#try(() =>
      this.#client.send(new s3.DeleteObjectsCommand({ Bucket: this.#bucket, Delete })),
    )
    const [failed] = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
    if (failed) throw new Error(`${failed.Key} could not be removed: ${failed.Code} ${failed.Message ?? ''}`)
  }

  async startUpload(name: string): Promise<string> {
    const { UploadId } = await this.#try(() =>
      this.#client.send(new s3.CreateMultipartUploadCommand({ ...this.#at(name) })),
    )
    if (!UploadId) throw new Error(`the store began no upload of ${name}`)
    return UploadId
  }

  /** Returns the part's ETag, or undefined if the upload no longer exists. */
  async putPart(name: string, uploadId: string, number: number, bytes: StagedBytes): Promise<string | undefined> {
    const place = { ...this.#at(name), UploadId: uploadId, PartNumber: number }
    const put = await this.#find(() =>
      withBody(bytes, (body) => this.#client.send(new s3.UploadPartCommand({ ...place, ...body }))),
    )
    return put?.ETag
  }

  /** Returns the parts of an upload by their numbers; none if the upload no longer exists. */
  async listParts(name: string, uploadId: string): Promise<Map<number, StoredPart>> {
    const parts = new Map<number, StoredPart>()
    for (let marker: string | undefined; ; ) {
      const input = { ...this.#at(name), UploadId: uploadId, PartNumberMarker: marker }
      const page = await this.#find(() => this.#client.send(new s3.ListPartsCommand(input)))
      for (const { PartNumber = 0, ETag = '', Size = 0 } of page?.Parts ?? []) {
        parts.set(PartNumber, { etag: ETag, size: Size })
      }
      marker = page?.IsTruncated ? page.NextPartNumberMarker : undefined
      if (marker === undefined) return parts
    }
  }

  /** Returns false if the upload no longer exists or a part differs from the one named. */
  async finishUpload(name: string, uploadId: string, parts: { number: number; etag: string }[]): Promise<boolean> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    const input = { ...this.#at(name), UploadId: uploadId, MultipartUpload: { Parts } }
    try {
      const finished = await this.#find(() => this.#client.send(new s3.CompleteMultipartUploadCommand(input)))
      return finished !== undefined
    } catch (error) {
      if ((error as Error).name === 'InvalidPart') return false
      throw error
    }
  }

  async abortUpload(name: string, uploadId: string): Promise<void> {
    const input = { ...this.#at(name), UploadId: uploadId }
    await this.#find(() => this.#client.send(new s3.AbortMultipartUploadCommand(input)))
  }

  async *listUploads(prefix: string): AsyncGenerator<OpenUpload[]> {
    for (let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}; after; ) {
      const input: s3.ListMultipartUploadsCommandInput = { Bucket: this.#bucket, Prefix: prefix, ...after }
      const page: s3.ListMultipartUploadsCommandOutput = await this.#try(() =>
        this.#client.send(new s3.ListMultipartUploadsCommand(input)),
      )
      yield (page.Uploads ?? []).map(({ Key = '', UploadId = '', Initiated }) => ({
        name: Key,
        uploadId: UploadId,
        startedAt: Initiated?.getTime() ?? 0,
      }))
      const { NextKeyMarker, NextUploadIdMarker } = page
      const isMore = page.IsTruncated && NextKeyMarker
      after = isMore ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker ?? '' } : undefined
    }
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: name }
  }

  #try<T>(work: () => Promise<T>): Promise<T> {
    return withRetries(this.#times, work)
  }

  /** Returns undefined if the store has no object of that name. */
  async #find<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#try(work)
    } catch (error) {
      if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined
      throw error
    }
  }
}

interface Body {
  Body: Uint8Array | Readable
  ContentLength: number
  ContentMD5: string
}

async function withBody<T>(bytes: StagedBytes, send: (body: Body) => Promise<T>): Promise<T> {
  const content = bytes.open()
  try {
    return await send({ Body: content, ContentLength: bytes.size, ContentMD5: bytes.md5 })
  } finally {
    // Otherwise the file would stay open after a failed attempt.
    if (content instanceof Readable) content.destroy()
  }
}

interface Deletion {
  method: string
  query: Record<string, unknown>
  headers: Record<string, string>
  body: string
}

/** Some stores require Content-MD5 for deletions of many objects; the SDK sends newer checksums instead. */
function addDigestToDeletions(client: s3.S3Client): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as Deletion
      if (request.method !== 'POST' || !('delete' in request.query)) return next(args)
      for (const name of Object.keys(request.headers)) {
        if (/^x-amz-(sdk-)?checksum/i.test(name)) delete request.headers[name]
      }
      request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64')
      return next(args)
    },
    { name: 'digestOfDeletions', step: 'build', priority: 'low' },
  )
}

/** How often an interrupted read is resumed without having received a byte. */
const MAX_FRUITLESS = 3

/**
 * Reads an object or a range of it. If the store disconnects, or the reader was so slow that the connection timed out, it resumes at
 * the next byte.
 */
export async function* readObject(bucket: S3Bucket, name: string, range?: ByteRange): AsyncGenerator<Buffer> {
  let position = range?.start ?? 0
  let end = range?.end
  let fruitless = 0
  while (end === undefined || position <= end) {
    const object = await bucket.get(name, end === undefined ? undefined : { start: position, end })
    if (!object) throw new ObjectMissingError(`${name} is not there`)
    end ??= object.size - 1
    const before = position
    try {
      for await (const buffer of object.body as AsyncIterable<Buffer>) {
        position += buffer.length
        yield buffer
      }
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    fruitless = position > before ? 0 : fruitless + 1
    if (position <= end && fruitless > MAX_FRUITLESS) throw new Error(`${name} ended at ${position}, before ${end}`)
  }
}

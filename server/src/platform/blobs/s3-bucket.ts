import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import * as s3 from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config.ts'
import type { ByteRange } from './blob-store.ts'
import { signGet } from './sign-get.ts'
import type { StagedBytes } from './staging-files.ts'
import { STORE_TIMES, type StoreTimes, statusOf, withRetries } from './store-retries.ts'

/** So many names one deletion may have. */
export const MAX_REMOVED = 1000
const MAX_CONNECTIONS = 512
const PROBE_TIMEOUT = 5000
const say = () => {}
const SILENT = { debug: say, info: say, warn: say, error: say }

/** An object as the store has it. */
export interface StoredObject {
  name: string
  size: number
  modifiedAt: number
}

/** A part as the store has it. */
export interface StoredPart {
  etag: string
  size: number
}

export interface OpenUpload {
  name: string
  uploadId: string
  startedAt: number
}

/** One bucket of an S3 store: each call tried again where that may help, answers reduced to what we need of them. */
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
      // Stores of some years ago refuse the newer checksums; Content-MD5 is verified by all.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // What is tried again is decided here, also where a body has to be opened anew.
      maxAttempts: 1,
      // The SDK would complain on the console of what we try again. What fails for good is thrown.
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

  /** Asks once, without patience, what is to be expected of the store. */
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

  /** An object, or a part of one, with its whole size; undefined where there is none. */
  async get(name: string, range?: ByteRange): Promise<{ body: Readable; size: number } | undefined> {
    const part = range && { Range: `bytes=${range.start}-${range.end}` }
    const got = await this.#find(() => this.#client.send(new s3.GetObjectCommand({ ...this.#at(name), ...part })))
    if (!got) return undefined
    const whole = got.ContentRange?.split('/')[1]
    return { body: got.Body as Readable, size: whole === undefined ? (got.ContentLength ?? 0) : Number(whole) }
  }

  /** Path and query, below the endpoint, by which who has no keys may read an object for some minutes. */
  signAddress(name: string): string {
    return signGet(this.#settings, `${this.#bucket}/${name}`, new Date())
  }

  async find(name: string): Promise<StoredObject | undefined> {
    const found = await this.#find(() => this.#client.send(new s3.HeadObjectCommand(this.#at(name))))
    return found && { name, size: found.ContentLength ?? 0, modifiedAt: found.LastModified?.getTime() ?? 0 }
  }

  /** All objects whose names begin so, in the order of their names and before `end`, a page at a time. */
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

  /** Removes objects, up to 1000 at once; those that are not there are no error. */
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

  /** Returns the part's ETag; undefined where there is no such upload any more. */
  async putPart(name: string, uploadId: string, number: number, bytes: StagedBytes): Promise<string | undefined> {
    const place = { ...this.#at(name), UploadId: uploadId, PartNumber: number }
    const put = await this.#find(() =>
      withBody(bytes, (body) => this.#client.send(new s3.UploadPartCommand({ ...place, ...body }))),
    )
    return put?.ETag
  }

  /** The parts of an upload by their numbers; none where there is no such upload any more. */
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

  /** False where the upload is gone, or a part of it is not the one that was named. */
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

  /** Undefined where the store has nothing of that name. */
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
    // Of an attempt that failed half-way the file would stay open.
    if (content instanceof Readable) content.destroy()
  }
}

interface Deletion {
  method: string
  query: Record<string, unknown>
  headers: Record<string, string>
  body: string
}

/** Some stores take no deletion of many without Content-MD5, which the SDK has given up for newer checksums. */
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

import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseRange } from '../../platform/http/send-bytes.ts'

interface Stored {
  bytes: Buffer
  etag: string
  modifiedAt: Date
}

interface Upload {
  name: string
  startedAt: Date
  parts: Map<number, Stored>
}

/** The content of the fake store. */
export interface S3Contents {
  readonly bucket: string
  /** The maximum number of entries in one page of a list. */
  readonly pageSize: number
  readonly objects: Map<string, Stored>
  readonly uploads: Map<string, Upload>
}

interface Request {
  contents: S3Contents
  method: string
  /** The key of the object. Empty if the request is for the bucket. */
  name: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}

type Response = { status?: number; headers?: Record<string, string | number>; body?: Buffer | string }

const MIN_PART = 5 * 1024 * 1024

class PublicError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

export async function respondAsS3(
  contents: S3Contents,
  accessKeyId: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await incoming.toArray())
  const url = new URL(incoming.url ?? '/', 'http://s3')
  const [bucket = '', ...rest] = decodeURIComponent(url.pathname).slice(1).split('/')
  const { method = '', headers } = incoming
  let result: Response
  try {
    const credential = url.searchParams.get('X-Amz-Credential') ?? headers.authorization?.split('Credential=')[1]
    if (!credential?.startsWith(`${accessKeyId}/`)) throw new PublicError(403, 'InvalidAccessKeyId')
    if (bucket !== contents.bucket) throw new PublicError(404, 'NoSuchBucket')
    const request = { contents, method, name: rest.join('/'), query: url.searchParams, headers, body }
    verifyDigest(request)
    result = request.name === '' ? respondForBucket(request) : respondForObject(request)
  } catch (error) {
    if (!(error instanceof PublicError)) throw error
    result = { status: error.status, body: xml('Error', `<Code>${error.code}</Code><Message>${error.code}</Message>`) }
  }
  const { status = 200, body: content = '' } = result
  response.writeHead(status, { 'content-length': Buffer.byteLength(content), ...result.headers })
  response.end(method === 'HEAD' ? undefined : content)
}

function verifyDigest({ headers, body }: Request): void {
  const expected = headers['content-md5']
  const isSame = createHash('md5').update(body).digest('base64') === expected
  if (expected !== undefined && !isSame) throw new PublicError(400, 'BadDigest')
}

function respondForBucket({ contents, method, query, headers, body }: Request): Response {
  if (method === 'HEAD') return {}
  if (method === 'POST' && query.has('delete')) {
    if (!headers['content-md5']) throw new PublicError(400, 'InvalidRequest')
    const names = listOf(body.toString(), 'Key')
    if (names.length === 0 || names.length > 1000) throw new PublicError(400, 'MalformedXML')
    for (const name of names) contents.objects.delete(name)
    return { body: xml('DeleteResult', '') }
  }
  if (method === 'GET' && query.has('uploads')) return listUploads(contents, query)
  if (method === 'GET' && query.get('list-type') === '2') return listObjects(contents, query)
  throw new PublicError(501, 'NotImplemented')
}

function listObjects({ objects, pageSize }: S3Contents, query: URLSearchParams): Response {
  const after = query.get('continuation-token') ?? ''
  const names = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '') && name > after).sort()
  const page = names.slice(0, pageSize)
  const entries = page.map((name) => {
    const { bytes, modifiedAt } = objects.get(name) as Stored
    const details = `<Size>${bytes.length}</Size><LastModified>${modifiedAt.toISOString()}</LastModified>`
    return `<Contents><Key>${name}</Key>${details}</Contents>`
  })
  const isTruncated = names.length > page.length
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return { body: xml('ListBucketResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}`) }
}

function listUploads({ uploads, pageSize }: S3Contents, query: URLSearchParams): Response {
  const position = (id: string, name: string) => `${name} ${id}`
  const after = position(query.get('upload-id-marker') ?? '', query.get('key-marker') ?? '')
  const all = [...uploads]
    .filter(([id, { name }]) => name.startsWith(query.get('prefix') ?? '') && position(id, name) > after)
    .sort(([a, { name: nameOfA }], [b, { name: nameOfB }]) => (position(a, nameOfA) < position(b, nameOfB) ? -1 : 1))
  const page = all.slice(0, pageSize)
  const entries = page.map(([id, { name, startedAt }]) => {
    const details = `<UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated>`
    return `<Upload><Key>${name}</Key>${details}</Upload>`
  })
  const [id, last] = page.at(-1) ?? []
  const next = `<NextKeyMarker>${last?.name ?? ''}</NextKeyMarker><NextUploadIdMarker>${id ?? ''}</NextUploadIdMarker>`
  const isTruncated = all.length > page.length
  return {
    body: xml('ListMultipartUploadsResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}`),
  }
}

function respondForObject(request: Request): Response {
  const { contents, method, name, query, headers } = request
  if (query.has('uploadId')) return respondForUpload(request)
  if (method === 'POST' && query.has('uploads')) {
    const id = randomUUID()
    contents.uploads.set(id, { name, startedAt: new Date(), parts: new Map() })
    return { body: xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`) }
  }
  if (method === 'PUT') {
    const stored = store(request)
    contents.objects.set(name, stored)
    return { headers: { etag: stored.etag } }
  }
  const found = contents.objects.get(name)
  if (!found) throw new PublicError(404, 'NoSuchKey')
  const details = { etag: found.etag, 'last-modified': found.modifiedAt.toUTCString(), 'accept-ranges': 'bytes' }
  if (method === 'HEAD') return { headers: { ...details, 'content-length': found.bytes.length } }
  if (method !== 'GET') throw new PublicError(501, 'NotImplemented')
  const range = parseRange(headers.range, found.bytes.length)
  if (range === 'unsatisfiable') throw new PublicError(416, 'InvalidRange')
  if (!range.isPart) return { headers: details, body: found.bytes }
  const contentRange = `bytes ${range.start}-${range.end}/${found.bytes.length}`
  const body = found.bytes.subarray(range.start, range.end + 1)
  return { status: 206, headers: { ...details, 'content-range': contentRange }, body }
}

function respondForUpload(request: Request): Response {
  const { contents, method, query, body, name } = request
  const id = query.get('uploadId') ?? ''
  const upload = contents.uploads.get(id)
  if (!upload || upload.name !== name) throw new PublicError(404, 'NoSuchUpload')
  if (method === 'PUT') {
    const part = store(request)
    upload.parts.set(Number(query.get('partNumber')), part)
    return { headers: { etag: part.etag } }
  }
  if (method === 'GET') return listParts(contents, upload, Number(query.get('part-number-marker') ?? 0))
  contents.uploads.delete(id)
  if (method === 'DELETE') return { status: 204 }
  try {
    contents.objects.set(name, joinParts(upload, body.toString()))
  } catch (error) {
    contents.uploads.set(id, upload)
    throw error
  }
  // Without the ETag, as Ceph responds.
  return { body: xml('CompleteMultipartUploadResult', '<ETag></ETag>') }
}

function listParts({ pageSize }: S3Contents, upload: Upload, after: number): Response {
  const all = [...upload.parts].filter(([number]) => number > after).sort(([a], [b]) => a - b)
  const page = all.slice(0, pageSize)
  const entries = page.map(([number, { etag, bytes }]) => {
    const details = `<ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size>`
    return `<Part><PartNumber>${number}</PartNumber>${details}</Part>`
  })
  const next = `<NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker>`
  const isTruncated = all.length > page.length
  return { body: xml('ListPartsResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}`) }
}

function joinParts({ parts }: Upload, wanted: string): Stored {
  const numbers = listOf(wanted, 'PartNumber').map(Number)
  const etags = listOf(wanted, 'ETag').map((etag) => etag.replaceAll('&quot;', '"'))
  const chosen = numbers.map((number, index) => {
    const part = parts.get(number)
    if (part?.etag !== etags[index]) throw new PublicError(400, 'InvalidPart')
    if (number <= (numbers[index - 1] ?? 0)) throw new PublicError(400, 'InvalidPartOrder')
    return part as Stored
  })
  if (chosen.length === 0) throw new PublicError(400, 'MalformedXML')
  if (chosen.slice(0, -1).some(({ bytes }) => bytes.length < MIN_PART)) throw new PublicError(400, 'EntityTooSmall')
  const bytes = Buffer.concat(chosen.map((part) => part.bytes))
  return { bytes, etag: `"${randomUUID()}-${chosen.length}"`, modifiedAt: new Date() }
}

function store({ body, headers }: Request): Stored {
  if (headers['content-length'] === undefined) throw new PublicError(411, 'MissingContentLength')
  return { bytes: body, etag: `"${createHash('md5').update(body).digest('hex')}"`, modifiedAt: new Date() }
}

function listOf(text: string, element: string): string[] {
  return [...text.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, content]) => content as string)
}

function xml(root: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`
}

import { createHash, randomUUID } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import type { InputOf } from '@alcove/contract/call'
import { FILE_CHUNK_SIZE } from '@alcove/contract/limits'
import { completeUpload, uploadChunk } from '@alcove/contract/uploads'
import type { Account } from './account.ts'
import { curl } from './curl.ts'
import type { Source } from './source.ts'
import { timeSeconds } from './statistics.ts'

/** Puts a file in one request; answers the seconds it took. */
export function putFile(url: string, path: string): Promise<number> {
  return timeSeconds(() => curl([['-T', path, url]]))
}

/** Uploads a file in chunks as the web does; answers the seconds it took, completing included. */
export function uploadInChunks(account: Account, source: Source, filename: string, atOnce: number): Promise<number> {
  const uploadId = randomUUID()
  const chunks = source.chunks.map((path, chunkIndex) => {
    const fields: InputOf<typeof uploadChunk> = {
      uploadId,
      filename,
      chunkIndex,
      totalChunks: source.chunks.length,
      totalSize: source.size,
      // Chunks in any order need it; one after the other, a client of the specification sends none.
      ...(atOnce > 1 && { chunkSize: FILE_CHUNK_SIZE }),
    }
    const form = Object.entries(fields).flatMap(([name, value]) => ['--form-string', `${name}=${value}`])
    return [...asUser(account), ...form, '-F', `chunk=@${path};filename=blob`, `${account.api}${uploadChunk.path}`]
  })
  const json = JSON.stringify({ uploadId, filename } satisfies InputOf<typeof completeUpload>)
  const address = `${account.api}${completeUpload.path}`
  const complete = [...asUser(account), '-H', 'Content-Type: application/json', '--data-raw', json, address]
  return timeSeconds(async () => {
    if (atOnce === 1) return curl([...chunks, complete])
    await curl(chunks, atOnce)
    return curl([complete])
  })
}

/** Something to be downloaded. */
export interface Download {
  url: string
  /** Arguments for curl. */
  args: string[]
}

export function alcoveDownload(account: Account, filename: string): Download {
  return { url: `${account.api}${fetchFile.path}?filename=${filename}`, args: asUser(account) }
}

/** Downloads a whole file and throws it away; answers the seconds it took. */
export async function download({ url, args }: Download, size: number): Promise<number> {
  const [outcome] = await curl([[...args, '-o', '/dev/null', url]])
  if (outcome?.bytes !== size) throw new Error(`${url} gave ${outcome?.bytes} bytes, not ${size}.`)
  return outcome.seconds
}

/** Downloads ranges of a length, one after the other over one connection; answers the seconds that each took. */
export async function downloadRanges({ url, args }: Download, starts: number[], length: number): Promise<number[]> {
  const outcomes = await curl(
    starts.map((start) => [...args, '-o', '/dev/null', '-r', `${start}-${start + length - 1}`, url]),
  )
  if (outcomes.some(({ status, bytes }) => status !== 206 || bytes !== length)) {
    throw new Error(`${url} did not answer each range with 206 and ${length} bytes.`)
  }
  return outcomes.map(({ seconds }) => seconds)
}

/** Downloads a file and fails unless it is, byte by byte, the one that was sent. */
export async function assertSameContent(account: Account, filename: string, source: Source): Promise<void> {
  const { authorization } = account
  const response = await fetch(alcoveDownload(account, filename).url, { headers: { authorization } })
  const hash = createHash('sha256')
  for await (const piece of response.body ?? []) hash.update(piece)
  if (response.status !== 200 || hash.digest('hex') !== source.sha256) {
    throw new Error(`${filename} (status ${response.status}) came back different from what was sent.`)
  }
}

function asUser({ authorization }: Account): string[] {
  return ['-H', `Authorization: ${authorization}`]
}

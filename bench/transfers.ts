import { createHash, randomFillSync, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile, getDownloadUrl } from '@alcove/contract/bytes'
import type { InputOf, OutputOf } from '@alcove/contract/call'
import { listFiles } from '@alcove/contract/files'
import { FILE_CHUNK_SIZE, MEBIBYTE } from '@alcove/contract/limits'
import { completeUpload, uploadChunk } from '@alcove/contract/uploads'
import { type Account, send } from './alcove.ts'
import { timeSeconds } from './measurements.ts'
import { runToEnd } from './processes.ts'

/** Sends a file with one PUT, and returns the seconds. */
export function putFile(url: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return timeSeconds(() => curl([[...lines, '-T', path, url]]))
}

/** Uploads a file in chunks as the web does, and returns the seconds including the completion. */
export function uploadInChunks(account: Account, source: Source, filename: string, atOnce: number): Promise<number> {
  const uploadId = randomUUID()
  const chunks = source.chunks.map((path, chunkIndex) => {
    const fields: InputOf<typeof uploadChunk> = {
      uploadId,
      filename,
      chunkIndex,
      totalChunks: source.chunks.length,
      totalSize: source.size,
      // Needed for chunks in any order. A client that sends them in order may leave it out.
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

export interface Download {
  url: string
  /** More arguments for curl. */
  args: string[]
}

export function alcoveDownload(account: Account, filename: string): Download {
  return { url: `${account.api}${fetchFile.path}?filename=${filename}`, args: asUser(account) }
}

/** Returns the download of a file in the root folder by a signed address, as the web and players do. */
export async function signedDownload(account: Account, filename: string): Promise<Download> {
  const { files } = await send(account, listFiles, {})
  const file = files.find(({ name }) => name === filename)
  if (!file) throw new Error(`${filename} is not in the root folder.`)
  const address = `${account.api}${getDownloadUrl.path.replace('{id}', file.id)}`
  const response = await fetch(address, { headers: { authorization: account.authorization } })
  const { url } = (await response.json()) as OutputOf<typeof getDownloadUrl>
  const { pathname, search } = new URL(url)
  return { url: new URL(`${pathname}${search}`, account.api).href, args: [] }
}

/** Downloads a file to /dev/null, and returns the seconds. */
export async function download({ url, args }: Download, size: number): Promise<number> {
  const [outcome] = await curl([[...args, '-o', '/dev/null', url]])
  if (outcome?.bytes !== size) throw new Error(`${url} returned ${outcome?.bytes} bytes, not ${size}.`)
  return outcome.seconds
}

/** Downloads ranges one by one over one connection, and returns the seconds of each. */
export async function downloadRanges({ url, args }: Download, starts: number[], length: number): Promise<number[]> {
  const outcomes = await curl(
    starts.map((start) => [...args, '-o', '/dev/null', '-r', `${start}-${start + length - 1}`, url]),
  )
  if (outcomes.some(({ status, bytes }) => status !== 206 || bytes !== length)) {
    throw new Error(`${url} did not return 206 and ${length} bytes for each range.`)
  }
  return outcomes.map(({ seconds }) => seconds)
}

/** Downloads a file, and throws if it differs from the source. */
export async function assertSameContent(account: Account, filename: string, source: Source): Promise<void> {
  const { authorization } = account
  const response = await fetch(alcoveDownload(account, filename).url, { headers: { authorization } })
  const hash = createHash('sha256')
  for await (const piece of response.body ?? []) hash.update(piece)
  if (response.status !== 200 || hash.digest('hex') !== source.sha256) {
    throw new Error(`${filename} (status ${response.status}) differs from what was uploaded.`)
  }
}

function asUser({ authorization }: Account): string[] {
  return ['-H', `Authorization: ${authorization}`]
}

interface Outcome {
  status: number
  /** The size of the response's body. */
  bytes: number
  seconds: number
}

const WRITE_OUT = '\\n= %{http_code} %{size_download} %{time_total}\\n'

/** Arguments of every request. Without an empty `Expect`, curl waits for `100 Continue`, which browsers don't do. */
const ALWAYS = ['-H', 'Expect:', '-w', WRITE_OUT]

/**
 * Makes requests with one curl process, each given as arguments: one by one over one connection, or several at a time.
 * Throws unless all succeed.
 */
async function curl(requests: string[][], atOnce = 1): Promise<Outcome[]> {
  const parallel = atOnce === 1 ? [] : ['--parallel', '--parallel-immediate', '--parallel-max', String(atOnce)]
  const all = requests.flatMap((args, index) => [...(index === 0 ? [] : ['--next']), ...ALWAYS, ...args])
  const printed = await runToEnd('curl', ['-q', '--silent', '--show-error', ...parallel, ...all])
  const outcomes = [...printed.matchAll(/^= (\d+) (\d+) ([\d.]+)$/gm)].map(([, status, bytes, seconds]) => ({
    status: Number(status),
    bytes: Number(bytes),
    seconds: Number(seconds),
  }))
  const areGood = outcomes.every(({ status }) => status >= 200 && status < 300)
  if (!areGood || outcomes.length !== requests.length) throw new Error(`A transfer failed: ${printed.trim()}`)
  return outcomes
}

/** A large file of random bytes, whole and in chunks, because curl can't send a part of a file. */
export interface Source {
  path: string
  size: number
  sha256: string
  chunks: string[]
}

/** Writes the file. It is in the page cache then, so no measurement waits for the disk. */
export async function createSource(dir: string, size: number): Promise<Source> {
  await mkdir(dir, { recursive: true })
  const source: Source = { path: join(dir, 'whole'), size, sha256: '', chunks: [] }
  const hash = createHash('sha256')
  const block = Buffer.alloc(MEBIBYTE)
  const whole = await open(source.path, 'w')
  let chunk: FileHandle | undefined
  for (let at = 0; at < size; at += block.length) {
    if (at % FILE_CHUNK_SIZE === 0) {
      await chunk?.close()
      const path = join(dir, `chunk-${source.chunks.length}`)
      chunk = await open(path, 'w')
      source.chunks.push(path)
    }
    const piece = randomFillSync(block).subarray(0, size - at)
    hash.update(piece)
    await whole.writeFile(piece)
    await chunk?.writeFile(piece)
  }
  await chunk?.close()
  await whole.close()
  return { ...source, sha256: hash.digest('hex') }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a shell answers where a program, or a part of it, is not there. */
const NOT_FOUND = 127

/** What lies anywhere in a film is read from a file in any case; that of bytes at hand has no name any more. */
export async function openContent(content: Uint8Array | string): Promise<FileHandle> {
  if (typeof content === 'string') return open(content)
  const folder = await mkdtemp(join(tmpdir(), 'alcove-video-'))
  try {
    const file = await open(join(folder, 'video'), 'wx+', 0o600)
    await file.writeFile(content)
    return file
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Bounds {
  /** Milliseconds. */
  timeout: number
  /** How much it may write. */
  maxBytes: number
}

/**
 * What a program writes, as one more process of this one's group, within its bounds, with one open file and no names. Empty
 * where it was killed; undefined where it cannot be started, which is no fault of the file.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { fd }: FileHandle,
  { timeout, maxBytes }: Bounds,
): Promise<Buffer | undefined> {
  const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore', fd] })
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, timeout)
  // Nobody is left to kill it where this process ends because the server has gone.
  process.once('exit', kill)
  const parts: Buffer[] = []
  let bytes = 0
  child.stdout?.on('data', (part: Buffer) => {
    parts.push(part)
    bytes += part.length
    if (bytes > maxBytes) kill()
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === NOT_FOUND) return undefined
    return code === null ? Buffer.alloc(0) : Buffer.concat(parts)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    process.off('exit', kill)
  }
}

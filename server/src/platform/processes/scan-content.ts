import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Exit codes of scanners: nothing found, or something. Any other code is a failure of the scanner. */
const CLEAN = 0
const FOUND = 1

/** A scanner of a large file may take long. In milliseconds. */
const TIMEOUT = 60 * 60_000
/** How much of its output is kept, in characters. */
const MAX_REPORT = 300

/**
 * Runs the operator's scanner on content, given as bytes or as a path. The command gets the path as its last argument, and nothing
 * of this process's environment but `PATH`. Returns what the scanner printed if it found something, and undefined if it didn't.
 * Throws if the scanner failed.
 */
export async function scanContent(
  command: string,
  content: Uint8Array | string,
  programPath: string,
): Promise<string | undefined> {
  if (typeof content === 'string') return scanFile(command, content, programPath)
  const folder = await mkdtemp(join(tmpdir(), 'alcove-scan-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, content, { mode: 0o600 })
    return await scanFile(command, path, programPath)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function scanFile(command: string, path: string, programPath: string): Promise<string | undefined> {
  // The path is a parameter of the shell, so nothing in it is a command.
  const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', path], {
    env: { PATH: programPath },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT,
    killSignal: 'SIGKILL',
  })
  let report = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (report.length < MAX_REPORT) report += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === CLEAN) return undefined
  const printed = report.replaceAll(path, 'the file').trim().slice(0, MAX_REPORT)
  if (code === FOUND) return printed
  throw new Error(`the scanner of ALCOVE_SCAN_COMMAND ended with ${code ?? 'a signal'}: ${printed}`)
}

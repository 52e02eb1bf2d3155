import { join } from 'node:path'
import { MEBIBYTE } from '@alcove/contract/limits'
import { findFreePort, readDescendants, readMemory, startServer } from '../processes.ts'
import { findProgram } from '../references.ts'

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

export interface Chromium {
  /** The browser's main process. Its other processes descend from it. */
  readonly pid: number
  /** The address of its DevTools protocol. */
  readonly devtools: string
  /** Ends all processes of the browser. The one we started may be a script that has already ended. */
  stop(): void
}

/** Starts Chromium with an empty profile. Returns undefined if it isn't installed. */
export async function startChromium(
  dir: string,
  address = 'about:blank',
  flags: readonly string[] = [],
): Promise<Chromium | undefined> {
  const command = process.env.ALCOVE_CHROMIUM ?? BROWSERS.map(findProgram).find((path) => path !== undefined)
  if (command === undefined) return undefined
  const devtools = `http://127.0.0.1:${await findFreePort()}`
  const { pid } = await startServer({
    command,
    args: [
      ...['--headless', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...flags,
      ...[`--user-data-dir=${join(dir, 'profile')}`, `--remote-debugging-port=${new URL(devtools).port}`, address],
    ],
    logFile: join(dir, 'chromium.log'),
    readyUrl: `${devtools}/json/version`,
  })
  return { pid, devtools, stop: () => readDescendants(pid).slice(1).forEach(endProcess) }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid)
  } catch {
    // It has already ended.
  }
}

const OFTEN = 250

/** Returns the memory of all processes of a browser, in MiB of PSS. */
export function readBrowserMemory(pid: number): number {
  return readDescendants(pid).reduce((sum, one) => sum + readPss(one), 0) / MEBIBYTE
}

/** Returns the highest memory of a browser during `work`. */
export async function watchMemory(pid: number, work: () => Promise<unknown>): Promise<number> {
  let max = 0
  const watch = setInterval(() => {
    max = Math.max(max, readBrowserMemory(pid))
  }, OFTEN)
  await work().finally(() => clearInterval(watch))
  return max
}

/** Returns 0 for a process that has ended since it was listed. */
function readPss(pid: number): number {
  try {
    return readMemory(pid).pss
  } catch {
    return 0
  }
}

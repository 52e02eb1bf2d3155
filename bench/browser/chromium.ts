import { join } from 'node:path'
import { findProgram } from '../nginx.ts'
import { readDescendants } from '../process-figures.ts'
import { findFreePort, startServer } from '../processes.ts'

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

export interface Chromium {
  /** Of the browser; its other processes descend from it. */
  readonly pid: number
  /** Where it speaks the DevTools protocol. */
  readonly devtools: string
  /** Ends all its processes: what starts Chromium may be a script that ends without it. */
  stop(): void
}

/** Starts a Chromium of its own, with an empty profile; undefined where there is none. */
export async function startChromium(dir: string, address = 'about:blank'): Promise<Chromium | undefined> {
  const command = process.env.ALCOVE_CHROMIUM ?? BROWSERS.map(findProgram).find((path) => path !== undefined)
  if (command === undefined) return undefined
  const devtools = `http://127.0.0.1:${await findFreePort()}`
  const { pid } = await startServer({
    command,
    args: [
      ...['--headless', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
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
    // It has ended by itself.
  }
}

import { join } from 'node:path'
import { findProgram } from '../nginx.ts'
import { readDescendants } from '../process-figures.ts'
import { findFreePort, startServer } from '../processes.ts'

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** A Chromium with a profile of its own. */
export interface Chromium {
  /** Of the browser; its other processes descend from it. */
  readonly pid: number
  /** Where it speaks the DevTools protocol. */
  readonly devtools: string
  end(): void
}

/** Opens an address; undefined where there is no Chromium. */
export async function openChromium(dir: string, address: string): Promise<Chromium | undefined> {
  const command = process.env.ALCOVE_CHROMIUM ?? BROWSERS.map(findProgram).find((path) => path !== undefined)
  if (command === undefined) return undefined
  const devtools = `http://127.0.0.1:${await findFreePort()}`
  const { pid } = await startServer({
    command,
    args: [
      ...['--headless', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...[`--user-data-dir=${join(dir, 'profile')}`, `--remote-debugging-port=${new URL(devtools).port}`],
      address,
    ],
    logFile: join(dir, 'chromium.log'),
    readyUrl: `${devtools}/json/version`,
  })
  // What starts Chromium may be a script that ends without it.
  const end = () => readDescendants(pid).slice(1).forEach(endProcess)
  return { pid, devtools, end }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid)
  } catch {
    // It has ended by itself.
  }
}

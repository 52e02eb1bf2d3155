import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort, type Started, startServer } from './processes.ts'

export interface Bare extends Started {
  url: string
  filesDir: string
}

const SERVER = fileURLToPath(import.meta.resolve('./bare-server.ts'))

/** Starts the bare Node server, the reference for what Node itself costs. */
export async function startBare(dir: string): Promise<Bare> {
  const filesDir = join(dir, 'bare')
  await mkdir(filesDir, { recursive: true })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const started = await startServer({
    command: process.execPath,
    args: [SERVER, String(port), filesDir],
    logFile: join(dir, 'bare.log'),
    readyUrl: url,
  })
  return { ...started, url, filesDir }
}

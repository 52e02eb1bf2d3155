import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startChromium } from '../browser/chromium.ts'
import { runToEnd } from '../processes.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOOR = join(ROOT, 'web/src/features/vault/crypto/index.ts')
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** A page in Chromium with the vault's cryptography as users get it. */
export interface VaultPage {
  /** The browser's main process. Its other processes descend from it. */
  readonly pid: number
  /** Runs one of the page's jobs and returns the seconds. */
  run(job: string, input?: number): Promise<number>
  end(): void
}

/** Builds the page and opens it. Returns undefined if there is no Chromium. */
export async function openVaultPage(dir: string): Promise<VaultPage | undefined> {
  const built = await build(dir)
  const { server, run } = createJobServer(built)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const { port } = server.address() as AddressInfo
  const chromium = await startChromium(dir, `http://127.0.0.1:${port}/index.html`)
  return chromium && { pid: chromium.pid, end: chromium.stop, run }
}

/** Builds the page with Vite like the product, with its workers. */
async function build(dir: string): Promise<string> {
  const source = join(dir, 'page')
  await mkdir(source)
  await writeFile(join(source, 'index.html'), '<script type="module" src="./vault-jobs.js"></script>')
  await writeFile(join(source, 'door.js'), `export * from ${JSON.stringify(DOOR)}`)
  await copyFile(join(import.meta.dirname, 'vault-jobs.js'), join(source, 'vault-jobs.js'))
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const built = join(dir, 'built')
  await runToEnd(process.execPath, [vite, 'build', source, '--outDir', built, '--logLevel', 'error'])
  return built
}

/** Serves the page and gives it one job after the other. */
function createJobServer(built: string) {
  let waiting: ServerResponse | undefined
  let job: { readonly name: string; readonly input?: number } | undefined
  let settle: ((result: { seconds?: number; error?: string }) => void) | undefined

  function sendJob(): void {
    if (!job || !waiting) return
    waiting.end(JSON.stringify(job))
    job = undefined
    waiting = undefined
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/job') {
      waiting = response
      return sendJob()
    }
    if (request.url === '/done') {
      settle?.(JSON.parse(await text(request)))
      return void response.end()
    }
    const path = join(built, new URL(request.url ?? '', 'http://bench').pathname)
    if (!existsSync(path)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(await readFile(path))
  }

  const run = (name: string, input?: number) =>
    new Promise<number>((resolve, reject) => {
      settle = ({ seconds, error }) => {
        if (seconds === undefined) reject(new Error(`The page failed to ${name}: ${error}`))
        else resolve(seconds)
      }
      job = { name, input }
      sendJob()
    })
  return { server: createServer((request, response) => void serve(request, response)), run }
}

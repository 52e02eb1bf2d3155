import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort, readLogEnd, type Started, startServer } from './processes.ts'

export interface Alcove extends Started {
  /** Where the calls are. */
  api: string
  dataDir: string
}

const root = join(import.meta.dirname, '..')
/** As `npm start` has it (tools/prepare.mjs). */
const compileCache = join(root, '.cache', 'compiled')

/** Starts the product as `npm start` does, on a data directory in `dir`, which may hold one already. */
export async function startAlcove(dir: string): Promise<Alcove> {
  const dataDir = join(dir, 'alcove')
  await mkdir(dataDir, { recursive: true })
  const port = await findFreePort()
  const api = `http://127.0.0.1:${port}/api`
  const started = await startServer({
    command: join(root, 'node_modules', '.bin', 'node'),
    args: [join('server', 'src', 'main.ts')],
    logFile: logFileIn(dir),
    readyUrl: `${api}/health`,
    options: { cwd: root, env: serverEnvironment(port, dataDir) },
  })
  return { ...started, api, dataDir }
}

/** What the product in `dir` has printed last; it tells why a request was not answered. */
export function readAlcoveLogEnd(dir: string): string {
  return readLogEnd(logFileIn(dir))
}

function logFileIn(dir: string): string {
  return join(dir, 'alcove.log')
}

/** Our own environment without any setting of the product, so that no database, store or card provider of yours is used. */
function serverEnvironment(port: number, dataDir: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(ALCOVE|STRIPE)_/.test(name))
  return {
    ...Object.fromEntries(others),
    PORT: String(port),
    HOST: '127.0.0.1',
    NODE_COMPILE_CACHE: compileCache,
    ALCOVE_DATA_DIR: dataDir,
    ALCOVE_RATE_LIMITS: 'off',
  }
}

import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { activate, login, register } from '@alcove/contract/accounts'
import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import { getStorage, listRootFolders } from '@alcove/contract/files'
import type { ControlGroup } from './control-group.ts'
import { percentile } from './measurements.ts'
import { findFreePort, readLogEnd, runMeasured, type Started, startServer } from './processes.ts'

export interface Alcove extends Started {
  /** The base address of the API. */
  api: string
  dataDir: string
  /** Undefined for SQLite. */
  databaseUrl: string | undefined
}

const root = join(import.meta.dirname, '..')
/** The compile cache that `npm start` uses (tools/prepare.mjs). */
const compileCache = join(root, '.cache', 'compiled')

const MEMORY_FLAGS = ['--external-memory-accounted-in-global-limit', '--max-old-space-size-percentage=50']

/** Starts the product as `npm start` does, with its data directory in `dir`, in a control group and on PostgreSQL if they are given. */
export async function startAlcove(dir: string, group?: ControlGroup, databaseUrl?: string): Promise<Alcove> {
  const dataDir = join(dir, 'alcove')
  await mkdir(dataDir, { recursive: true })
  const port = await findFreePort()
  const api = `http://127.0.0.1:${port}/api`
  const node = [join(root, 'node_modules', '.bin', 'node'), ...MEMORY_FLAGS, join('server', 'src', 'main.ts')]
  // The memory of a process counts in the group that it is in at the time, so it joins before Node starts.
  const joining = (group?.joinFiles ?? []).map((file) => `echo $$ >${file}; `).join('')
  const started = await startServer({
    command: '/bin/sh',
    args: ['-c', `${joining}exec "$@"`, 'sh', ...node],
    logFile: logFileIn(dir),
    readyUrl: `${api}/health`,
    options: { cwd: root, env: { ...serverEnvironment(port, dataDir), ...databaseSetting(databaseUrl) } },
  })
  return { ...started, api, dataDir, databaseUrl }
}

/** Returns the last output of the product in `dir`, to explain failures. */
export function readAlcoveLogEnd(dir: string): string {
  return readLogEnd(logFileIn(dir))
}

function logFileIn(dir: string): string {
  return join(dir, 'alcove.log')
}

/** Returns our environment without the product's settings, so that it can't use your database, store or Stripe account. */
function serverEnvironment(port: number, dataDir: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(ALCOVE|STRIPE)_/.test(name))
  return {
    ...Object.fromEntries(others),
    PORT: String(port),
    HOST: '127.0.0.1',
    NODE_COMPILE_CACHE: compileCache,
    MALLOC_ARENA_MAX: '2',
    ALCOVE_DATA_DIR: dataDir,
    ALCOVE_RATE_LIMITS: 'off',
  }
}

function databaseSetting(databaseUrl: string | undefined): NodeJS.ProcessEnv {
  return databaseUrl === undefined ? {} : { ALCOVE_DATABASE_URL: databaseUrl }
}

/** A signed-in user of a running server. */
export interface Account {
  api: string
  /** The value of the `Authorization` header. */
  authorization: string
}

const CLI = join(root, 'server', 'src', 'cli.ts')
const SPACE = '1TB'
const MAIL_WITHIN = 10_000

/** Registers, activates and signs in a user, and raises the storage limit. */
export async function openAccount(alcove: Alcove): Promise<Account> {
  const email = 'bench@example.com'
  const password = 'Benchmark-1'
  await send(alcove, register, { email, password })
  await send(alcove, activate, { token: await readActivationToken(alcove) })
  const signedIn = await send(alcove, login, { email, password })
  if (signedIn.twoFactorRequired) throw new Error('A new account requires a code.')
  await raiseStorageLimit(alcove, email)
  return { api: alcove.api, authorization: `Bearer ${signedIn.token}` }
}

/** Returns the id of a folder in the root folder. */
export async function findFolderId(account: Account, name: string): Promise<string> {
  const folder = (await send(account, listRootFolders, {})).find((found) => found.name === name)
  if (!folder) throw new Error(`The uploads did not create the folder ${name}.`)
  return folder.id
}

/** Makes a call whose path has no parameters. */
export async function send<C extends AnyCall>(
  server: { api: string; authorization?: string },
  call: C,
  input: InputOf<C>,
): Promise<OutputOf<C>> {
  const response = await fetch(`${server.api}${call.path}`, {
    method: call.method,
    headers: {
      ...(server.authorization && { authorization: server.authorization }),
      ...(call.method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(call.method === 'POST' && { body: JSON.stringify(input) }),
  })
  if (!response.ok) throw new Error(`${call.path} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as OutputOf<C>
}

/** Reads the token from the activation mail, which is a file in the outbox. It may come shortly after the response. */
async function readActivationToken({ dataDir }: Alcove): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  const deadline = Date.now() + MAIL_WITHIN
  while (Date.now() < deadline) {
    const mails = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const text = mails[0] && (await readFile(join(outbox, mails[0]), 'utf8'))
    // Decode quoted-printable: join soft line breaks and restore equals signs.
    const token = text && /token=([\w-]+)/.exec(text.replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[1]
    if (token) return token
    await wait(50)
  }
  throw new Error(`No activation mail arrived in ${outbox}.`)
}

async function raiseStorageLimit({ dataDir, databaseUrl }: Alcove, email: string): Promise<void> {
  await runMeasured(process.execPath, [CLI, 'user', 'set-quota', email, SPACE], {
    ...{ PATH: process.env.PATH, ALCOVE_DATA_DIR: dataDir },
    ...databaseSetting(databaseUrl),
  })
}

const PAUSE = 10

/** Repeats `GET /storage` until the signal aborts, and returns a percentile of the milliseconds. */
export async function timeStorage({ api, authorization }: Account, until: AbortSignal, rank = 0.95): Promise<number> {
  const times: number[] = []
  while (!until.aborted) {
    const start = performance.now()
    await (await fetch(`${api}${getStorage.path}`, { headers: { authorization } })).arrayBuffer()
    times.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  return percentile(times, rank)
}

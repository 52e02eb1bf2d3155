import { randomBytes } from 'node:crypto'
import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@alcove/server/testing/engines/ports'
import { chooseAccount, EngineProcess, makeOwnDirectory, runAs } from './engine-process.ts'

export interface Postgres {
  /** The address of the maintenance database for a superuser. */
  url: string
  /** Kills all its processes. On the next start it has to recover from its files. */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Starts PostgreSQL from Debian's package. `binaries` is the directory of its programs. */
export async function startPostgres(root: string, binaries: string): Promise<Postgres> {
  const account = chooseAccount('postgres')
  const dir = makeOwnDirectory(join(root, 'postgres'), account)
  const data = join(dir, 'data')
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(dir, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  await runAs(account, dir, join(binaries, 'initdb'), [
    `--pgdata=${data}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ])
  const port = await findFreePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    // Only a power cut would lose data with these, a crash of its processes doesn't.
    fsync: 'off',
    full_page_writes: 'off',
    // Puts shared memory into its own directory, which is removed at the end.
    dynamic_shared_memory_type: 'mmap',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postgres = new EngineProcess({
    name: 'postgres',
    command: join(binaries, 'postgres'),
    args: ['-D', data, ...flags],
    account,
    dir,
    deathSignal: 'QUIT',
  })
  const isReady = () =>
    runAs(account, dir, join(binaries, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    )
  const start = () => postgres.start(isReady)
  await start()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    crash: async () => {
      const all = [postgres.pid, ...childrenOf(postgres.pid)]
      for (const pid of all) killIfThere(pid)
      await postgres.end('SIGKILL')
      while (all.some(isThere)) await wait(10)
    },
    start,
    stop: () => postgres.end('SIGQUIT'),
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** Returns whether a process exists. A zombie doesn't count. */
function isThere(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

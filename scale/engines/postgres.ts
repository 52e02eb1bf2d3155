import { randomBytes } from 'node:crypto'
import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@alcove/server/testing/free-port'
import { chooseAccount, makeOwnDirectory } from './account.ts'
import { EngineProcess, runAs } from './engine-process.ts'

export interface Postgres {
  /** A superuser's address of the maintenance database. */
  url: string
  /** Kills all its processes at once; what was committed is in its files, which it has to recover from. */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** A PostgreSQL with what Debian's package brings, in a directory of its own. `binaries` is where its programs lie. */
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
    // A crash of its processes loses nothing by this, only a power cut would.
    fsync: 'off',
    full_page_writes: 'off',
    // In its own directory: what a killed server leaves of it goes with the rest.
    dynamic_shared_memory_type: 'mmap',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postgres = new EngineProcess({
    name: 'postgres',
    command: join(binaries, 'postgres'),
    args: ['-D', data, ...flags],
    account,
    dir,
    atOurDeath: 'QUIT',
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
    // It has ended by itself meanwhile.
  }
}

/** What has ended and waits for its parent to take note is there no more. */
function isThere(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  ensureInstalled,
  isExecutable,
  type NeededProgram,
  pathFolders,
} from '@alcove/server/testing/engines/install-programs'

export interface Installed {
  /** The directory of PostgreSQL's programs, which Debian keeps off the PATH. */
  postgresBinaries: string
}

const programs: readonly NeededProgram[] = [
  { name: 'initdb', package: 'postgresql', isThere: () => findPostgres() !== undefined },
  { name: 'ceph-mon', package: 'ceph-mon' },
  { name: 'ceph-osd', package: 'ceph-osd' },
  { name: 'radosgw', package: 'radosgw' },
  { name: 'redis-server', package: 'redis-server' },
  { name: 'nginx', package: 'nginx' },
  // Creates the certificate for nginx.
  { name: 'openssl', package: 'openssl' },
]

/** Finds the engines, and installs what is missing. */
export function ensureEnginesInstalled(say: (line: string) => void): Installed {
  ensureInstalled(programs, say)
  return { postgresBinaries: findPostgres() as string }
}

/** Returns the directory of the newest PostgreSQL from Debian, else of the one on the PATH. */
function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const numbers = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...numbers.map((number) => join(versions, number, 'bin')), ...pathFolders()]
  return folders.find((folder) => ['initdb', 'pg_isready'].every((name) => isExecutable(join(folder, name))))
}

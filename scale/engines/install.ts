import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Installed {
  /** The directory of PostgreSQL's programs, which Debian keeps off the PATH. */
  postgresBinaries: string
}

/** The engines can't be installed here. That isn't a failure of the product. */
export class NotInstallable extends Error {}

/** The programs that are needed, and the Debian package of each. */
const PACKAGES: Record<string, string> = {
  initdb: 'postgresql',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  radosgw: 'radosgw',
  'redis-server': 'redis-server',
  nginx: 'nginx',
  // Creates the certificate for nginx.
  openssl: 'openssl',
}

/** Runs as root. Keeps Debian from starting the services and from creating a PostgreSQL cluster. */
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy
fi
clusters=/etc/postgresql-common/createcluster.conf
if [ ! -e $clusters ]; then
  mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' > $clusters
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q -o Acquire::Retries=2 update
apt-get -q -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@"
`

/** Finds the engines, and installs what is missing. */
export function ensureInstalled(say: (line: string) => void): Installed {
  // Servers are often in directories that only root has in its PATH.
  process.env.PATH = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)
  const missing = findMissing()
  if (missing.length > 0) install(missing, say)
  const postgresBinaries = findPostgres()
  const [stillMissing] = findMissing()
  if (!postgresBinaries || stillMissing) throw new Error(`${stillMissing} is installed, but its program is not found.`)
  return { postgresBinaries }
}

function install(packages: readonly string[], say: (line: string) => void): void {
  const subject = packages.length === 1 ? `${packages[0]} is` : `${packages.join(', ')} are`
  if (process.platform !== 'linux' || !findProgram('apt-get')) {
    throw new NotInstallable(`${subject} not installed, and only Debian systems can install them`)
  }
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0) {
    throw new NotInstallable(`${subject} not installed, and only root can install here`)
  }
  say(`installing Debian's ${packages.join(', ')} …`)
  const shell = ['sh', '-c', INSTALL, 'install', ...packages]
  const [command = '', ...args] = isRoot ? shell : ['sudo', '-n', ...shell]
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (status === 0) return
  const reason = /^[EW]: .*/m.exec(stderr)?.[0] ?? stdout.trim().split('\n').at(-1)
  throw new NotInstallable(`${subject} not installed, and apt-get could not do it: ${reason}`)
}

function findMissing(): string[] {
  const isThere = (program: string) => (program === 'initdb' ? findPostgres() : findProgram(program)) !== undefined
  return Object.entries(PACKAGES).flatMap(([program, name]) => (isThere(program) ? [] : [name]))
}

/** Returns the directory of the newest PostgreSQL from Debian, else of the one on the PATH. */
function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const numbers = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...numbers.map((number) => join(versions, number, 'bin')), ...pathFolders()]
  return folders.find((folder) => ['initdb', 'pg_isready'].every((name) => isExecutable(join(folder, name))))
}

function findProgram(name: string): string | undefined {
  return pathFolders()
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Installed {
  /** Where PostgreSQL's programs lie; Debian keeps them off the PATH. */
  postgresBinaries: string
}

/** Why there is nothing to run the tests on: a machine that cannot have the engines is no failure of the product. */
export class NotInstallable extends Error {}

/** The programs needed, and Debian's package that brings each. */
const PACKAGES: Record<string, string> = {
  initdb: 'postgresql',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  radosgw: 'radosgw',
  'redis-server': 'redis-server',
  nginx: 'nginx',
  // Makes the certificate of nginx.
  openssl: 'openssl',
}

/** Run as root. Debian starts what it installs as services of the system, and makes a cluster: neither is wanted here. */
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
  // Servers often lie where only root's path leads.
  process.env.PATH = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)
  const missing = findMissing()
  if (missing.length > 0) install(missing, say)
  const postgresBinaries = findPostgres()
  const [stillMissing] = findMissing()
  if (!postgresBinaries || stillMissing) throw new Error(`${stillMissing} is installed, but its program is not found.`)
  return { postgresBinaries }
}

function install(packages: readonly string[], say: (line: string) => void): void {
  const those = packages.length === 1 ? `${packages[0]} is` : `${packages.join(', ')} are`
  if (process.platform !== 'linux' || !findProgram('apt-get')) {
    throw new NotInstallable(`${those} not installed, and this is no Debian to install from`)
  }
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0) {
    throw new NotInstallable(`${those} not installed, and only root can install here`)
  }
  say(`installing Debian's ${packages.join(', ')} …`)
  const shell = ['sh', '-c', INSTALL, 'install', ...packages]
  const [command = '', ...args] = isRoot ? shell : ['sudo', '-n', ...shell]
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (status === 0) return
  const reason = /^[EW]: .*/m.exec(stderr)?.[0] ?? stdout.trim().split('\n').at(-1)
  throw new NotInstallable(`${those} not installed, and apt-get could not do it: ${reason}`)
}

function findMissing(): string[] {
  const isThere = (program: string) => (program === 'initdb' ? findPostgres() : findProgram(program)) !== undefined
  return Object.entries(PACKAGES).flatMap(([program, name]) => (isThere(program) ? [] : [name]))
}

/** The newest that Debian has installed, else the one on the PATH. */
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

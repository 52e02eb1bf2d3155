import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs can't be installed here. That isn't a failure of the product. */
export class NotInstallable extends Error {}

/** A program that tests need, and the Debian package that contains it. */
export interface NeededProgram {
  name: string
  package: string
  /** Returns whether it is there, for programs that aren't on the PATH. */
  isThere?: () => boolean
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

/** Finds the programs, and installs what is missing with Debian's packages. */
export function ensureInstalled(programs: readonly NeededProgram[], say: (line: string) => void): void {
  // Servers are often in directories that only root has in its PATH.
  process.env.PATH = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)
  const missing = findMissing(programs)
  if (missing.length > 0) install([...new Set(missing.map((program) => program.package))], say)
  const [stillMissing] = findMissing(programs)
  if (stillMissing) throw new Error(`${stillMissing.package} is installed, but ${stillMissing.name} is not found.`)
}

function findMissing(programs: readonly NeededProgram[]): NeededProgram[] {
  return programs.filter(({ name, isThere }) => !(isThere ? isThere() : isOnPath(name)))
}

function install(packages: readonly string[], say: (line: string) => void): void {
  const subject = packages.length === 1 ? `${packages[0]} is` : `${packages.join(', ')} are`
  if (process.platform !== 'linux' || !isOnPath('apt-get')) {
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

export function isOnPath(name: string): boolean {
  return pathFolders().some((folder) => isExecutable(join(folder, name)))
}

export function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

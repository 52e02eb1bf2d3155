// `npm run test:clients`: installs sync and backup programs from Debian's packages, and Joplin from npm, and runs them against the
// server. Arguments go to vitest. If they can't be installed here, it says so and exits with 0.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, isExecutable, NotInstallable } from '@alcove/server/testing/engines/install-programs'
import { ensureJoplin } from './joplin-program.ts'

const ROOT = join(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const CONFIG = join(import.meta.dirname, 'vitest.config.ts')

const programs = [
  ...['litmus', 'rclone', 'restic', 'cadaver', 'curl', 'duplicity'].map((name) => ({ name, package: name })),
  { name: 'nextcloudcmd', package: 'nextcloud-desktop-cmd' },
  { name: 'owncloudcmd', package: 'owncloud-client-cmd' },
  { name: 'gio', package: 'libglib2.0-bin' },
  { name: 'dbus-run-session', package: 'dbus' },
  { name: 'gvfsd-dav', package: 'gvfs-backends', isThere: () => isExecutable('/usr/libexec/gvfsd-dav') },
  { name: 'gvfsd', package: 'gvfs-daemons', isThere: () => isExecutable('/usr/libexec/gvfsd') },
  // Joplin's SQLite is compiled.
  { name: 'g++', package: 'g++' },
  { name: 'libuv', package: 'libuv1-dev', isThere: () => existsSync('/usr/include/uv.h') },
]

try {
  ensureInstalled(programs, (line) => console.log(line))
  await ensureJoplin((line) => console.log(line))
  const { status } = spawnSync(process.execPath, [VITEST, 'run', '--config', CONFIG, ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} catch (error) {
  if (!(error instanceof NotInstallable)) throw error
  console.log(`Client tests: not run because ${error.message}.`)
}

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NotInstallable } from '@alcove/server/testing/engines/install-programs'
import { runProgram } from './run-program.ts'

/** npm installs no package that is newer than this day, so the tests run the same Joplin each time. */
const DAY = '2026-11-20'
const PACKAGES = ['joplin@3.5.1', 'node-api-headers@1.9.0']
const CACHE = join(import.meta.dirname, '..', '.cache')
const FOLDER = join(CACHE, `joplin-${PACKAGES[0]?.split('@')[1]}-${DAY}`)

/** The script that is Joplin's command line. */
export const joplinScript = join(FOLDER, 'node_modules', 'joplin', 'main.js')

/**
 * Installs Joplin below `.cache` unless it is there. The install scripts of its packages would download binaries. None is
 * needed except SQLite's, which is compiled here.
 */
export async function ensureJoplin(say: (line: string) => void): Promise<void> {
  if (existsSync(joplinScript)) return
  say('installing Joplin with npm …')
  const fresh = `${FOLDER}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  try {
    await writeFile(join(fresh, 'package.json'), '{"private":true}')
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `--before=${DAY}`, ...PACKAGES]
    const { status, stderr } = spawnSync('npm', args, { cwd: fresh, encoding: 'utf8' })
    if (status !== 0) {
      const reason = /^npm error .*/m.exec(stderr ?? '')?.[0] ?? 'npm did not start'
      throw new NotInstallable(`Joplin is not installed, and npm could not do it: ${reason}`)
    }
    await compileSqlite(join(fresh, 'node_modules'))
    await rename(fresh, FOLDER)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Compiles the package `sqlite3` with the settings that Joplin relies on. */
async function compileSqlite(modules: string): Promise<void> {
  const cwd = join(modules, 'sqlite3')
  const sources = readdirSync(join(cwd, 'deps')).find((name) => name.endsWith('.tar.gz')) as string
  await runProgram('tar', ['xzf', join('deps', sources), '-C', 'deps', '--strip-components=1'], { cwd })
  const flags = ['-O1', '-fPIC', '-DNDEBUG', '-D_REENTRANT=1', '-DSQLITE_THREADSAFE=1', '-DSQLITE_ENABLE_FTS4']
  await runProgram('gcc', [...flags, '-c', 'deps/sqlite3.c', '-o', 'sqlite3.o'], { cwd })
  const binding = join('lib', 'binding', `napi-v6-linux-glibc-${process.arch}`)
  await mkdir(join(cwd, binding), { recursive: true })
  const includes = [join(modules, 'node-api-headers', 'include'), join(modules, 'node-addon-api'), 'deps']
  const inputs = ['backup', 'database', 'node_sqlite3', 'statement'].map((name) => `src/${name}.cc`)
  const api = ['-DNAPI_VERSION=6', '-DNAPI_DISABLE_CPP_EXCEPTIONS=1', ...includes.map((path) => `-I${path}`)]
  const output = ['-shared', '-o', join(binding, 'node_sqlite3.node')]
  await runProgram('g++', ['-std=c++17', ...flags, ...api, ...inputs, 'sqlite3.o', ...output], { cwd })
}

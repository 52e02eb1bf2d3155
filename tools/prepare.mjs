// Installs the packages and builds the web if they are missing or outdated, for `npm start`, `npm run dev` and `npm test`.
// This file must run on the system's Node (20 or newer), before anything is installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const dist = join(root, 'web', 'dist')
const stampFile = join(dist, '.build-stamp')

/** The repository's own Node. */
export const nodeBinary = join(modules, '.bin', 'node')

/** Node's cache of compiled code, which halves the work of the next start. */
export const compileCache = join(root, '.cache', 'compiled')

/** Returns whether this process runs on the repository's own Node. */
export function runsOnOwnNode() {
  return process.version === `v${readJson(join(modules, 'node', 'package.json'))?.version}`
}

/** Runs `npm ci` unless the installed packages are those of package-lock.json. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await alone(async ({ run, withTicker }) => {
    if (isInstalled()) return
    const options = { cwd: root, env: environmentWithoutOwnNode() }
    async function install() {
      // Includes development packages whatever NODE_ENV is, because the web is built here.
      await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], options)
      await run('npm', ['rebuild', '--ignore-scripts=false', ...packagesWithScripts()], options)
    }
    await withTicker('Installing the packages, once', install, { share: createInstalledShare() })
    if (!isInstalled()) throw new Error('npm ci left packages out. Delete node_modules and try again.')
    const { describeNodeFailure } = await import('./own-node.mjs')
    const failure = describeNodeFailure(nodeBinary)
    if (failure) throw new Error(failure)
  })
}

/** Returns the installed packages that `allowScripts` in package.json allows to run install scripts. `.npmrc` forbids all others. */
function packagesWithScripts() {
  const allowed = Object.entries(readJson(join(root, 'package.json')).allowScripts)
  return allowed.flatMap(([name, may]) => (may && existsSync(join(modules, name)) ? [name] : []))
}

/** Builds web/dist unless it was built from the current sources. Returns whether it was built. */
export async function ensureWebBuilt() {
  const stamp = webSourcesHash()
  if (builtStamp() === stamp) return false
  return await alone(async ({ run, withTicker }) => {
    if (builtStamp() === stamp) return false
    const fresh = join(root, '.cache', `web-${process.pid}`)
    const old = `${fresh}-old`
    try {
      const vite = join(modules, 'vite', 'bin', 'vite.js')
      const args = [vite, 'build', '--logLevel', 'error', '--outDir', fresh, '--emptyOutDir']
      const env = { ...process.env, NODE_ENV: 'production', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) }
      await withTicker('Building the web', () => run(nodeBinary, args, { cwd: join(root, 'web'), env }))
      writeFileSync(join(fresh, '.build-stamp'), stamp)
      // Replaces the folder as a whole, so that a running server never serves half a build.
      if (existsSync(dist)) renameSync(dist, old)
      renameSync(fresh, dist)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
      rmSync(old, { recursive: true, force: true })
    }
    return true
  })
}

/** Returns the packages of package-lock.json that node_modules lacks or has in another version. */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted.packages).flatMap(([path, { version, integrity, optional }]) => {
    if (!path.startsWith('node_modules/')) return []
    const found = installed.packages[path]
    // An optional package may be absent because it is for another kind of machine.
    if (!found) return optional ? [] : [path]
    return found.version === version && found.integrity === integrity ? [] : [path]
  })
}

/** Runs work that two commands must not do at once. Loads its modules only here, so that a start with nothing to do is fast. */
async function alone(work) {
  const modules = [import('./lock.mjs'), import('./run.mjs'), import('./ticker.mjs')]
  const [{ withLock }, { run }, { withTicker }] = await Promise.all(modules)
  return await withLock(join(root, '.cache', 'prepare.lock'), () => work({ run, withTicker }))
}

/** Returns a function that tells how much of what this kind of machine needs is unpacked, from 0 to 1. */
function createInstalledShare() {
  const { packages } = readJson(join(root, 'package-lock.json'))
  const fits = ({ os = [], cpu = [] }) =>
    (os.length === 0 || os.includes(process.platform)) && (cpu.length === 0 || cpu.includes(process.arch))
  const paths = Object.keys(packages).filter((path) => path.startsWith('node_modules/') && fits(packages[path]))
  // npm creates all folders first, and then unpacks.
  return () => paths.filter((path) => existsSync(join(root, path, 'package.json'))).length / paths.length
}

function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))
  if (!wanted) throw new Error('package-lock.json is missing or unreadable.')
  const installed = readJson(join(modules, '.package-lock.json'))
  return Boolean(installed) && missingPackages(wanted, installed).length === 0 && existsSync(nodeBinary)
}

function webSourcesHash() {
  const files = [
    join(root, 'package-lock.json'),
    ...sourcesBelow(join(root, 'contract', 'src')),
    ...sourcesBelow(join(root, 'web')),
  ]
  const hash = createHash('sha256')
  for (const file of files) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

const notSources = new Set(['dist', 'node_modules', '.DS_Store'])

function sourcesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    if (notSources.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sourcesBelow(path) : [path]
  })
}

function builtStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined
}

/** Returns the environment without the repository's own Node: `npm ci` deletes node_modules, so npm can't run on it. */
export function environmentWithoutOwnNode(env = process.env) {
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(`${modules}/`))
  return { ...env, PATH: path.join(delimiter) }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { nodeBinary, root } from './prepare.mjs'

/** Chromium without a user interface. The browser tests take two thirds of the time on it. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')

/**
 * Returns the path of a Chromium for the browser tests, or the reason why they are skipped. Throws if they can't run where they
 * must: with `CI` set, and if `ALCOVE_CHROMIUM` names a program that doesn't run.
 */
export function browserForTests(env = process.env, ensure = ensureChromium) {
  const { path, command } = ensure(env)
  if (path) return { path }
  const reason = `browser tests, because there is no Chromium and none could be installed. Run: ${command}`
  if (env.CI) throw new Error(`Not checked: ${reason}`)
  return { skipped: reason }
}

/** Finds a Chromium or installs one. Returns its path, or else the command that installs one. */
function ensureChromium(env) {
  const chosen = env.ALCOVE_CHROMIUM
  if (chosen) {
    if (works(chosen)) return { path: chosen }
    throw new Error(`ALCOVE_CHROMIUM names ${chosen}, which can't be run.`)
  }
  const asDebiansRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const path =
    findProgram([HEADLESS_SHELL]) ??
    (asDebiansRoot ? installDebians(HEADLESS_SHELL) : undefined) ??
    findProgram(BROWSERS) ??
    findPlaywrights() ??
    (asDebiansRoot ? installDebians('chromium') : installPlaywrights())
  const command = asDebiansRoot ? 'apt-get update && apt-get install -y chromium' : 'npx playwright install chromium'
  return path ? { path } : { command }
}

function installDebians(name) {
  console.log(`  installing Debian's ${name} …`)
  attempt('apt-get', ['update'])
  attempt('apt-get', ['install', '-y', '--no-install-recommends', name])
  return findProgram([name])
}

function installPlaywrights() {
  console.log("  no Chromium found; installing Playwright's …")
  attempt(nodeBinary, [playwright, 'install', 'chromium'])
  return findPlaywrights()
}

/** Prints the output of a step that fails. Whether there is a browser afterwards is checked by the caller. */
function attempt(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) console.log((error?.message ?? stdout + stderr).trim())
}

function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(works)
}

function findPlaywrights() {
  const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))"
  const path = execFileSync(nodeBinary, ['--eval', script], { cwd: join(root, 'e2e'), encoding: 'utf8' }).trim()
  return works(path) ? path : undefined
}

/** Runs the program, because some distributions ship one of that name that only tells where to get the real one. */
function works(path) {
  try {
    return (
      existsSync(path) &&
      execFileSync(path, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).length > 0
    )
  } catch {
    return false
  }
}

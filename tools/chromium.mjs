import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { nodeBinary, root } from './prepare.mjs'

/** Chromium without what draws windows: the browser tests take two thirds of the time on it. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')

/** The path of a Chromium for the browser tests; installs one where there is none and it can. */
export function ensureChromium() {
  const chosen = process.env.ALCOVE_CHROMIUM
  if (chosen) {
    if (works(chosen)) return chosen
    throw new Error(`ALCOVE_CHROMIUM names ${chosen}, which cannot be run.`)
  }
  const asDebiansRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  return (
    findProgram([HEADLESS_SHELL]) ??
    (asDebiansRoot ? installDebians(HEADLESS_SHELL) : undefined) ??
    findProgram(BROWSERS) ??
    findPlaywrights() ??
    (asDebiansRoot ? installDebians('chromium') : installPlaywrights()) ??
    fail(asDebiansRoot ? 'apt-get update && apt-get install -y chromium' : 'npx playwright install chromium')
  )
}

function installDebians(name) {
  console.log(`  installing Debian's ${name} …`)
  attempt('apt-get', ['update'])
  attempt('apt-get', ['install', '-y', '--no-install-recommends', name])
  return findProgram([name])
}

function installPlaywrights() {
  console.log("  no Chromium here; installing Playwright's …")
  attempt(nodeBinary, [playwright, 'install', 'chromium'])
  return findPlaywrights()
}

function fail(command) {
  throw new Error(`The browser tests need a Chromium, and none could be installed. Run: ${command}`)
}

/** A step that fails is told, no more: what counts is whether there is a browser afterwards. */
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

/** Some distributions ship a program of that name that only says where to get the real one. */
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

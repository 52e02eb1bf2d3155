import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { nodeBinary, root } from './prepare.mjs'

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')

/** The path of a Chromium for the browser tests; installs one where there is none and it can. */
export function ensureChromium() {
  const chosen = process.env.ALCOVE_CHROMIUM
  if (chosen) {
    if (works(chosen)) return chosen
    throw new Error(`ALCOVE_CHROMIUM names ${chosen}, which cannot be run.`)
  }
  const found = findChromium()
  if (found) return found
  const asDebiansRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  console.log(`  no Chromium here; installing ${asDebiansRoot ? "Debian's package" : "Playwright's"} …`)
  if (asDebiansRoot) {
    attempt('apt-get', ['update'])
    attempt('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
  } else {
    attempt(nodeBinary, [playwright, 'install', 'chromium'])
  }
  const installed = findChromium()
  if (installed) return installed
  const command = asDebiansRoot ? 'apt-get update && apt-get install -y chromium' : 'npx playwright install chromium'
  throw new Error(`The browser tests need a Chromium, and none could be installed. Run: ${command}`)
}

/** A step that fails is told, no more: what counts is whether there is a browser afterwards. */
function attempt(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) console.log((error?.message ?? stdout + stderr).trim())
}

function findChromium() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
  const inPath = PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program)))
  return [...inPath, playwrightsOwn()].find((path) => existsSync(path) && works(path))
}

function playwrightsOwn() {
  const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))"
  return execFileSync(nodeBinary, ['--eval', script], { cwd: join(root, 'e2e'), encoding: 'utf8' }).trim()
}

/** Some distributions ship a program of that name that only says where to get the real one. */
function works(path) {
  try {
    return execFileSync(path, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).length > 0
  } catch {
    return false
  }
}

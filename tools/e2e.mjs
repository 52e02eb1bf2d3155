// `npm run test:e2e`: the browser tests alone, on the web as it is now. Arguments go to Playwright: `npm run test:e2e -- accounts`.
// This file must run on the system's Node (20 or newer).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { browserForTests } from './chromium.mjs'
import { ensureInstalled, ensureWebBuilt, nodeBinary, root } from './prepare.mjs'

try {
  await ensureInstalled()
  await ensureWebBuilt()
  const { path, skipped } = browserForTests()
  if (skipped) throw new Error(`Can't run: ${skipped}`)
  const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const env = { ...process.env, ALCOVE_CHROMIUM: path }
  const options = { cwd: join(root, 'e2e'), stdio: 'inherit', env }
  process.exitCode = spawnSync(nodeBinary, [playwright, 'test', ...process.argv.slice(2)], options).status ?? 1
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

// `npm start`: installs and builds what is missing, then starts the server. Must run on the system's Node (20 or newer).
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache, ensureInstalled, ensureWebBuilt, nodeBinary, root, runsOnOwnNode } from './prepare.mjs'

try {
  await ensureInstalled()
  await ensureWebBuilt()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

const flags = ['--external-memory-accounted-in-global-limit', '--max-old-space-size-percentage=50']
const args = [...flags, join('server', 'src', 'main.ts'), ...process.argv.slice(2)]
process.chdir(root)
const env = { NODE_COMPILE_CACHE: compileCache, MALLOC_ARENA_MAX: '2', ...process.env }
if (process.execve && runsOnOwnNode()) {
  // The server replaces this process, so there are no signals to pass on.
  process.execve(realpathSync(nodeBinary), [nodeBinary, ...args], env)
}

const { spawn } = await import('node:child_process')
const { constants } = await import('node:os')
// In its own process group, the server gets one Ctrl+C, passed on here. npm would send a second one.
const server = spawn(nodeBinary, args, { stdio: 'inherit', detached: true, env })
let passedOn = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!passedOn) server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    passedOn = true
  })
}
server.on('error', (error) => {
  console.error(`The server could not be started: ${error.message}`)
  process.exit(1)
})
server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))

// `npm run dev`: the server, restarted on change, and Vite's development server in front of it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureInstalled, nodeBinary, root } from './prepare.mjs'

const ADDRESS = 'http://localhost:5173'

await ensureInstalled()

const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const programs = [
  run('server', root, ['--watch', join('server', 'src', 'main.ts')], {
    PORT: '5100',
    // Links in mails lead to the development server.
    ALCOVE_PUBLIC_URL: process.env.ALCOVE_PUBLIC_URL ?? ADDRESS,
    ALCOVE_LOG_FORMAT: process.env.ALCOVE_LOG_FORMAT ?? 'text',
  }),
  run('web', join(root, 'web'), [vite, '--port', new URL(ADDRESS).port, '--strictPort', '--clearScreen', 'false'], {}),
]
console.log(`Open ${ADDRESS}`)

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
for (const program of programs) program.on('exit', stop)

/** Stops both, since neither is useful without the other. */
function stop() {
  if (isStopping) return
  isStopping = true
  for (const { pid } of programs) signalGroup(pid, 'SIGTERM')
}

/** Signals the whole process group, because with --watch the server is a child of the watching process. */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function run(name, cwd, args, environment) {
  const program = spawn(nodeBinary, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  for (const stream of [program.stdout, program.stderr]) {
    createInterface({ input: stream }).on('line', (line) => console.log(`${name.padEnd(6)} | ${line}`))
  }
  return program
}

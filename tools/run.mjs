import { spawn } from 'node:child_process'

/** Runs a command to its end. Passes on SIGINT and SIGTERM, so that the lock isn't released before the work has ended. */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
    const passOn = (signal) => child.kill(signal)
    process.on('SIGINT', passOn).on('SIGTERM', passOn)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('SIGINT', passOn).off('SIGTERM', passOn)
      if (code === 0) resolve()
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${signal ?? `code ${code}`}.`))
    })
  })
}

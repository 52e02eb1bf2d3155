import { spawn } from 'node:child_process'

/**
 * Runs a command to its end. Its output is part of the error if it fails. Passes on SIGINT and SIGTERM, so that the lock isn't
 * released before the work has ended.
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece))
    const passOn = (signal) => child.kill(signal)
    process.on('SIGINT', passOn).on('SIGTERM', passOn)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('SIGINT', passOn).off('SIGTERM', passOn)
      if (code === 0) resolve()
      else {
        const ending = `${[command, ...args].join(' ')} ended with ${signal ?? `code ${code}`}.`
        reject(new Error(`${Buffer.concat(output)}${ending}`))
      }
    })
  })
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CLI = join(import.meta.dirname, '../../cli.ts')

export interface ProcessResult {
  code: number
  /** Its output and errors. */
  output: string
}

/** Runs an operator command as a process, with the settings of a server. */
export function runCommandProcess(environment: Record<string, string>, ...words: string[]): Promise<ProcessResult> {
  // Not the repository, which may have an alcove.env.
  const options = { cwd: tmpdir(), env: { PATH: process.env.PATH, ...environment } }
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...words], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: stdout + stderr })
    })
  })
}

/** Starts an operator command as a process that a test kills. */
export function spawnOperator(environment: Record<string, string>, ...words: string[]): ChildProcess {
  return spawn(process.execPath, [CLI, ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'ignore',
  })
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'

const CLI = join(import.meta.dirname, '../../cli.ts')

export interface Ran {
  code: number
  /** What it printed, answers and complaints alike. */
  output: string
}

/** What the operator types, as the program that they run, with the settings of a server. */
export function runOperator(environment: Record<string, string>, ...words: string[]): Promise<Ran> {
  const options = { env: { PATH: process.env.PATH, ...environment } }
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...words], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: stdout + stderr })
    })
  })
}

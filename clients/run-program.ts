import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface Options {
  cwd: string
  env?: Record<string, string>
  input?: string
  /** Whether it may end with a failure, which the caller examines. */
  mayFail?: boolean
}

export interface Ended {
  code: number | null
  /** What it printed, to both streams. */
  output: string
}

/** Runs a program to its end, with these variables only. Throws with its output if it fails. */
export async function runProgram(command: string, args: readonly string[], options: Options): Promise<Ended> {
  const { cwd, env = {}, input, mayFail = false } = options
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0 && !mayFail) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
  return { code, output }
}

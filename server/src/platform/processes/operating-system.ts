import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'

/** Returns the memory of this machine, or the limit of its control group (a container, a systemd unit), in bytes. */
export function availableMemory(): number {
  // Without a limit Node returns 0 or more than there is.
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

const LITTLE = 1024 * 1024 * 1024

/** Returns whether memory that the server doesn't need now is missing elsewhere: in its work processes or in the system's cache of files. */
export function hasLittleMemory(): boolean {
  return availableMemory() < LITTLE
}

/** Finds a program in the folders of `path`, as a shell does. Returns undefined if there is none. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Linux counts in hundredths of a second here, whatever the kernel's own clock is (proc(5), `CLK_TCK`). */
const MILLISECONDS_PER_TICK = 10

/** Returns the processor time of a process and its children in milliseconds, or undefined if the system doesn't tell. */
export function cpuTimeOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, may contain anything. After it come the state and then numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // utime, stime, and those of children that have ended.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + (cpuTimeOf(Number(child)) ?? 0), own * MILLISECONDS_PER_TICK)
  } catch {
    return undefined
  }
}

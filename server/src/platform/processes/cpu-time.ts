import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second here, whatever the kernel's own clock is (proc(5), `CLK_TCK`). */
const MILLISECONDS_PER_TICK = 10

/** Milliseconds of processor time that a process and its children have used; undefined where the system doesn't say. */
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

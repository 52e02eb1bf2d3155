import { readFileSync } from 'node:fs'

/** Linux counts processor time for programs in hundredths of a second, whatever its own clock does. */
const TICKS_PER_SECOND = 100

/** Processor seconds that processes have used up to now, all their threads together. */
export function readCpuSeconds(pids: number[]): number {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in brackets, which may hold blanks; user and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, own) => sum + own, 0) / TICKS_PER_SECOND
}

/** A process and its children: nginx's master and workers. */
export function readFamily(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

/** A process and all that descend from it, as those of a browser do. */
export function readDescendants(pid: number): number[] {
  return [pid, ...readFamily(pid).slice(1).flatMap(readDescendants)]
}

/** Bytes in memory: all that is mapped (RSS), and with shared pages counted by their share (PSS). */
export function readMemory(pid: number): { rss: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return { rss: readKilobytes(rollup, 'Rss'), pss: readKilobytes(rollup, 'Pss') }
}

/** The RSS alone, which costs the process nothing to ask. */
export function readRss(pid: number): number {
  return readKilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')
}

/** Work's own answer and the processor seconds that the processes used meanwhile. */
export async function withCpu(pids: number[], work: () => Promise<number>): Promise<{ seconds: number; cpu: number }> {
  const before = readCpuSeconds(pids)
  const seconds = await work()
  return { seconds, cpu: readCpuSeconds(pids) - before }
}

function readKilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
}

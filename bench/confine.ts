import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** In microseconds: so often what a process has had is counted anew. */
const PERIOD = 20_000
const CGROUPS = '/sys/fs/cgroup'

export interface Confined {
  /** Once the process has ended. */
  release(): void
}

/** Limits a process to no more than a share of one core; undefined where this machine does not let us. */
export function confine(pid: number, share: number): Confined | undefined {
  const isOlder = existsSync(join(CGROUPS, 'cpu'))
  const folder = join(CGROUPS, isOlder ? 'cpu' : '', `alcove-bench-${pid}`)
  try {
    mkdirSync(folder)
    if (isOlder) {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD))
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(PERIOD * share))
    } else writeFileSync(join(folder, 'cpu.max'), `${PERIOD * share} ${PERIOD}`)
    writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  } catch {
    return undefined
  }
  return { release: () => rmdirSync(folder) }
}

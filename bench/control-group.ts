import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CGROUPS = '/sys/fs/cgroup'
/** The period of the processor limit in microseconds. */
const PERIOD = 20_000

export interface Limits {
  /** The share of one core. */
  cores: number
  /** Bytes of memory, including the page cache that the processes fill. */
  memory?: number
}

/** A control group: processes that share limits. Those that they start belong to it too. */
export interface ControlGroup {
  /** The files to which a process writes its id to join. */
  joinFiles: string[]
  add(pid: number): void
  /** Returns how many processes the kernel has ended because the memory ran out. */
  countKills(): number
  /** Removes the group. Call it after its processes have ended. */
  release(): void
}

/** All groups that we created and nobody has released. */
const groups = new Set<ControlGroup>()

/** Creates a control group. Returns undefined if this machine doesn't allow that. */
export function createControlGroup(name: string, { cores, memory }: Limits): ControlGroup | undefined {
  // Version 1 has a hierarchy of groups for each kind of limit, version 2 a single one.
  const isOlder = existsSync(join(CGROUPS, 'cpu'))
  const cpu = join(CGROUPS, isOlder ? 'cpu' : '', name)
  const ram = join(CGROUPS, isOlder ? 'memory' : '', name)
  const folders = memory === undefined ? [cpu] : [...new Set([cpu, ram])]
  const joinFiles = folders.map((folder) => join(folder, 'cgroup.procs'))
  try {
    for (const folder of folders) mkdirSync(folder)
    if (isOlder) {
      writeFileSync(join(cpu, 'cpu.cfs_period_us'), String(PERIOD))
      writeFileSync(join(cpu, 'cpu.cfs_quota_us'), String(PERIOD * cores))
    } else writeFileSync(join(cpu, 'cpu.max'), `${PERIOD * cores} ${PERIOD}`)
    if (memory !== undefined) writeFileSync(join(ram, isOlder ? 'memory.limit_in_bytes' : 'memory.max'), String(memory))
  } catch {
    return undefined
  }
  const group: ControlGroup = {
    joinFiles,
    add: (pid) => {
      for (const file of joinFiles) writeFileSync(file, String(pid))
    },
    countKills: () => {
      const events = readFileSync(join(ram, isOlder ? 'memory.oom_control' : 'memory.events'), 'utf8')
      return Number(/^oom_kill (\d+)/m.exec(events)?.[1] ?? 0)
    },
    release: () => {
      for (const folder of folders) rmdirSync(folder)
      groups.delete(group)
    },
  }
  groups.add(group)
  return group
}

/** Removes all groups that are left after an interruption. Call it after their processes have ended. */
export function releaseControlGroups(): void {
  for (const group of groups) group.release()
}

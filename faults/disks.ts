import { execFile } from 'node:child_process'
import { closeSync, openSync, statfsSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system of its own. */
export interface Disk {
  readonly path: string
  /** Takes all the room that is left but so many bytes, as other programs on the machine may. */
  fill(butFor?: number): void
  /** Frees the space again. */
  makeRoom(): Promise<void>
  unmount(): Promise<void>
}

/** Why no disks can be mounted here, or undefined where they can: `run.ts` sees to it that they stay among us. */
export function whyNoDisks(): string | undefined {
  return process.env.ALCOVE_FAULTS_NAMESPACE === undefined
    ? 'needs a mount namespace of its own (Linux, by npm run test:faults)'
    : undefined
}

/** A disk in memory. */
export async function mountDisk(mebibytes: number): Promise<Disk> {
  const path = await mkdtemp(join(tmpdir(), 'alcove-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path])
  const filler = join(path, 'filler')
  return {
    path,
    fill: (butFor = 0) => fillFile(filler, butFor),
    makeRoom: () => rm(filler, { force: true }),
    unmount: async () => {
      await run('umount', [path])
      await rm(path, { recursive: true })
    },
  }
}

/** Lets nobody write to a disk any more, or everybody again. Nobody may have files of it open to write to. */
export async function remount({ path }: Disk, as: 'ro' | 'rw'): Promise<void> {
  await run('mount', ['-o', `remount,bind,${as}`, path])
}

/** Writes, in ever smaller pieces, until no more than so many bytes fit. */
function fillFile(path: string, butFor: number): void {
  const file = openSync(path, 'a')
  try {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
      const piece = Buffer.alloc(size)
      while ((butFor === 0 || freeBytes(path) - size >= butFor) && isWritten(file, piece));
      // What is to be left need not be exact.
      if (butFor > 0) return
    }
  } finally {
    closeSync(file)
  }
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

function isWritten(file: number, piece: Buffer): boolean {
  try {
    return writeSync(file, piece) === piece.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}

import { execFile, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statfsSync, writeSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system for one test. */
export interface Disk {
  readonly path: string
  /** Uses all free space except `remaining` bytes, like another program on the machine. */
  fill(remaining?: number): void
  /** Frees the space that `fill` used. */
  freeSpace(): Promise<void>
  unmount(): Promise<void>
}

/** Returns why disks can't be mounted here, or undefined. `run.ts` creates a mount namespace for them. */
export function whyNoDisks(): string | undefined {
  return process.env.ALCOVE_FAULTS_NAMESPACE === undefined
    ? 'needs a mount namespace of its own (Linux, by npm run test:faults)'
    : undefined
}

/** Mounts a disk in memory. */
export async function mountDisk(mebibytes: number): Promise<Disk> {
  const path = await mkdtemp(join(tmpdir(), 'alcove-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path])
  const filler = join(path, 'filler')
  return {
    path,
    fill: (remaining = 0) => fillFile(filler, remaining),
    freeSpace: () => rm(filler, { force: true }),
    unmount: async () => {
      await run('umount', [path])
      await rm(path, { recursive: true })
    },
  }
}

/** Makes a disk read-only or writable. No file on it may be open for writing. */
export async function remount({ path }: Disk, as: 'ro' | 'rw'): Promise<void> {
  await run('mount', ['-o', `remount,bind,${as}`, path])
}

/** Writes smaller and smaller pieces until only `remaining` bytes are free. */
function fillFile(path: string, remaining: number): void {
  const file = openSync(path, 'a')
  try {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
      const piece = Buffer.alloc(size)
      while ((remaining === 0 || freeBytes(path) - size >= remaining) && isWritten(file, piece));
      // The free space doesn't need to be exact.
      if (remaining > 0) return
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

const MEBIBYTE = 1024 * 1024

/** A disk that can break. It is read-only then, also for open files, until it is repaired. */
export interface BreakableDisk {
  readonly path: string
  break(): Promise<void>
  /** Repairs the disk. No process may use it meanwhile. */
  repair(): Promise<void>
  remove(): Promise<void>
}

/** Returns why breakable disks aren't possible here, or undefined. */
export function whyNoBreakableDisks(): string | undefined {
  // Root of a user namespace may not mount devices.
  if (!/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'))) return 'needs root'
  if (process.getuid?.() !== 0) return 'needs root'
  if (!existsSync('/dev/loop-control')) return 'needs loop devices'
  if (spawnSync('mkfs.ext4', ['-V']).status !== 0) return 'needs mkfs.ext4'
  return whyNoDisks()
}

/** Mounts a file as an ext4 disk. The kernel makes it read-only when it finds an error, which can be triggered. */
export async function mountBreakableDisk(mebibytes: number): Promise<BreakableDisk> {
  const dir = await mkdtemp(join(tmpdir(), 'alcove-disk-'))
  const [image, path] = [join(dir, 'image'), join(dir, 'disk')]
  await writeFile(image, '')
  await truncate(image, mebibytes * MEBIBYTE)
  await run('mkfs.ext4', ['-q', '-E', `root_owner=${process.getuid?.()}:${process.getgid?.()}`, image])
  await run('mkdir', [path])
  const mount = () => run('mount', ['-o', 'loop,errors=remount-ro', image, path])
  await mount()
  return {
    path,
    break: async () => {
      const { stdout } = await run('findmnt', ['-n', '-o', 'SOURCE', path])
      await writeFile(join('/sys/fs/ext4', basename(stdout.trim()), 'trigger_fs_error'), '1')
    },
    repair: async () => {
      await run('umount', [path])
      // Exit code 1 means that errors were corrected.
      await run('e2fsck', ['-p', '-f', image]).catch((error: { code?: number }) => {
        if (error.code !== 1) throw error
      })
      await mount()
    },
    remove: async () => {
      await run('umount', [path]).catch(() => {})
      await rm(dir, { recursive: true, force: true })
    },
  }
}

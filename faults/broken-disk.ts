import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { whyNoDisks } from './disks.ts'

const run = promisify(execFile)
const MEBIBYTE = 1024 * 1024

/** A disk that can break: from then on it is read-only, also for who has its files open, until it is repaired. */
export interface BreakableDisk {
  readonly path: string
  break(): Promise<void>
  /** Nobody may use it meanwhile. */
  repair(): Promise<void>
  remove(): Promise<void>
}

/** Why there are no such disks here, or undefined where there are. */
export function whyNoBreakableDisks(): string | undefined {
  // Who is root in a namespace alone may not mount devices.
  if (!/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'))) return 'needs root'
  if (process.getuid?.() !== 0) return 'needs root'
  if (!existsSync('/dev/loop-control')) return 'needs loop devices'
  if (spawnSync('mkfs.ext4', ['-V']).status !== 0) return 'needs mkfs.ext4'
  return whyNoDisks()
}

/** An ext4 of a file, mounted as a device: the kernel makes it read-only when it finds an error, and can be told that it has. */
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
      // It ends with 1 when it has mended something.
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

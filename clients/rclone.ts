import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ended, runProgram } from './run-program.ts'
import type { ServedAccount } from './served-account.ts'

/** The kinds of WebDAV servers among which users of rclone choose. */
export const vendors = ['owncloud', 'nextcloud', 'other'] as const
export type Vendor = (typeof vendors)[number]

const ODD_NAMES = [
  'ümlaut é 日本.txt',
  'a & b <c> "d".txt',
  '50% #1 ?.txt',
  "it's; a=b,c.txt",
  'emoji 🌻.txt',
  '~tilde+plus.txt',
]

/** Runs rclone with the remote `alcove:` of the vendor. */
export type Rclone = (vendor: Vendor, args: readonly string[]) => Promise<Ended>

export async function configureRclone({ davUrl, email, secret, dir }: ServedAccount): Promise<Rclone> {
  // Each call would yield another text, and bisync would take that for another remote.
  const obscured = (await runProgram('rclone', ['obscure', secret], { cwd: dir })).output.trim()
  return (vendor, args) => {
    const env = {
      RCLONE_CONFIG: join(dir, 'rclone.conf'),
      RCLONE_CONFIG_ALCOVE_TYPE: 'webdav',
      RCLONE_CONFIG_ALCOVE_URL: davUrl,
      RCLONE_CONFIG_ALCOVE_USER: email,
      RCLONE_CONFIG_ALCOVE_PASS: obscured,
      RCLONE_CONFIG_ALCOVE_VENDOR: vendor,
    }
    return runProgram('rclone', ['--retries', '1', '--low-level-retries', '1', ...args], { cwd: dir, env })
  }
}

/** The last digits of folders, in four parts. */
const PARTS = ['[0-2]', '[34]', '[5-7]', '[89]']

/**
 * Runs four processes, each for a part of the folders of a tree, and returns what they printed. A process sends at most a hundred
 * requests per second.
 */
export async function runInParts(rclone: Rclone, vendor: Vendor, args: readonly string[]): Promise<string[]> {
  const ended = PARTS.map((digit) => rclone(vendor, ['--include', `/folder *${digit}/**`, '--checkers', '6', ...args]))
  return (await Promise.all(ended)).map(({ output }) => output)
}

/** Writes files in many folders, with dates of 2011 and later, and some with odd names. */
export async function makeTree(tree: string, { files, folders }: { files: number; folders: number }): Promise<void> {
  for (let folder = 0; folder < folders; folder++) await mkdir(join(tree, `folder ${folder}`), { recursive: true })
  for (let file = 0; file < files; file++) {
    const path = join(tree, `folder ${file % folders}`, `file ${file}.txt`)
    await writeFile(path, `${file}\n`.repeat((file % 50) + 1))
    await utimes(path, 1_300_000_000 + file * 60, 1_300_000_000 + file * 60)
  }
  for (const odd of ODD_NAMES) await writeFile(join(tree, odd), odd)
}

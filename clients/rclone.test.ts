import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { searchItems } from '@alcove/contract/search'
import { listTrash } from '@alcove/contract/trash'
import { listVersions } from '@alcove/contract/versions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, runProgram } from './run-program.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

/** rclone waits 10 ms between two requests, so a sync lists at most this many folders in its three seconds. */
const FOLDERS = 100
const FILES = 2_000
const MAX_SECOND_SYNC = 3_000
const ODD_NAMES = [
  'ümlaut é 日本.txt',
  'a & b <c> "d".txt',
  '50% #1 ?.txt',
  "it's; a=b,c.txt",
  'emoji 🌻.txt',
  '~tilde+plus.txt',
]

let account: ServedAccount
/** The secret as rclone stores it. Each call would yield another text, and bisync would take that for another remote. */
let obscured: string
beforeAll(async () => {
  account = await serveAccount()
  obscured = (await runProgram('rclone', ['obscure', account.secret], { cwd: account.dir })).output.trim()
})
afterAll(() => account.close())

async function rclone(vendor: string, args: readonly string[], mayFail = false): Promise<Ended> {
  const { davUrl, email, dir } = account
  const env = {
    RCLONE_CONFIG: join(dir, 'rclone.conf'),
    RCLONE_CONFIG_ALCOVE_TYPE: 'webdav',
    RCLONE_CONFIG_ALCOVE_URL: davUrl,
    RCLONE_CONFIG_ALCOVE_USER: email,
    RCLONE_CONFIG_ALCOVE_PASS: obscured,
    RCLONE_CONFIG_ALCOVE_VENDOR: vendor,
  }
  return runProgram('rclone', ['--retries', '1', '--low-level-retries', '1', ...args], { cwd: dir, env, mayFail })
}

/** Writes files in many folders, with dates of 2011 and later, and returns the folder. */
async function makeTree(name: string, files: number): Promise<string> {
  const tree = join(account.dir, name)
  for (let folder = 0; folder < FOLDERS; folder++) await mkdir(join(tree, `folder ${folder}`), { recursive: true })
  for (let file = 0; file < files; file++) {
    const path = join(tree, `folder ${file % FOLDERS}`, `file ${file}.txt`)
    await writeFile(path, `${name} ${file}\n`.repeat((file % 50) + 1))
    await utimes(path, 1_300_000_000 + file * 60, 1_300_000_000 + file * 60)
  }
  for (const odd of ODD_NAMES) await writeFile(join(tree, odd), odd)
  return tree
}

describe.each([
  ['owncloud', FILES],
  ['nextcloud', 200],
  ['other', 200],
])('rclone with the vendor %s', (vendor, files) => {
  it('copies a tree, finds it identical, and transfers nothing the second time', async () => {
    const tree = await makeTree(`from ${vendor}`, files)
    const remote = `alcove:${vendor}`
    await rclone(vendor, ['sync', '--transfers', '6', tree, remote])
    const checked = await rclone(vendor, ['check', '--download', '--checkers', '6', tree, remote])
    expect(checked.output).toContain('0 differences found')
    const started = performance.now()
    const again = await rclone(vendor, ['sync', '-v', '--checkers', '16', tree, remote])
    expect(performance.now() - started).toBeLessThan(MAX_SECOND_SYNC)
    expect(again.output).toMatch(/There was nothing to transfer/)
  })

  it('brings back what it sent, with names and dates', async () => {
    await rclone(vendor, ['copy', `alcove:${vendor}`, join(account.dir, `back ${vendor}`), '--checkers', '6'])
    const back = await runProgram(
      'diff',
      ['-r', join(account.dir, `from ${vendor}`), join(account.dir, `back ${vendor}`)],
      { cwd: account.dir },
    )
    expect(back.output).toBe('')
    if (vendor === 'other') return
    const listed = await rclone(vendor, ['lsl', `alcove:${vendor}/folder 7`])
    expect(listed.output).toContain('2011-03-13 07:13:40.000000000 file 7.txt')
  })

  it('changes, renames and deletes: old bytes become versions and deleted files go to the trash', async () => {
    const tree = join(account.dir, `from ${vendor}`)
    await writeFile(join(tree, 'folder 1', 'file 1.txt'), `changed with ${vendor}`)
    await rclone(vendor, ['sync', tree, `alcove:${vendor}`])
    await rclone(vendor, ['moveto', `alcove:${vendor}/folder 2/file 2.txt`, `alcove:${vendor}/folder 3/moved.txt`])
    await rclone(vendor, ['deletefile', `alcove:${vendor}/folder 4/file 4.txt`])
    const found = (await account.client.call(searchItems, { q: 'file 1.txt' })).body
    const file = found.find(({ path }) => path === `/${vendor}/folder 1/file 1.txt`)
    const { versions } = (await account.client.call(listVersions, { id: file?.id as string })).body
    expect(versions).toMatchObject([{ device: expect.stringContaining('rclone') }])
    const trashed = (await account.client.call(listTrash, {})).body.files
    expect(trashed.map(({ name, originalPath }) => `${originalPath}/${name}`)).toContain(
      `/${vendor}/folder 4/file 4.txt`,
    )
  })
})

it('mirrors both ways with bisync', async () => {
  const local = join(account.dir, 'both ways')
  await mkdir(local)
  await writeFile(join(local, 'RCLONE_TEST'), '')
  await writeFile(join(local, 'here.txt'), 'from here')
  await rclone('owncloud', ['copy', local, 'alcove:both'])
  await rclone('owncloud', ['bisync', '--resync', local, 'alcove:both'])
  await writeFile(join(local, 'new here.txt'), 'new')
  await writeFile(join(account.dir, 'there.txt'), 'new there')
  await rclone('owncloud', ['copyto', join(account.dir, 'there.txt'), 'alcove:both/new there.txt'])
  await rclone('owncloud', ['bisync', local, 'alcove:both'])
  expect(await readFile(join(local, 'new there.txt'), 'utf8')).toBe('new there')
  expect((await rclone('owncloud', ['cat', 'alcove:both/new here.txt'])).output).toMatch(/^new$/m)
})

it('checks encrypted files with cryptcheck', async () => {
  const { output } = await runProgram('rclone', ['obscure', 'passphrase'], { cwd: account.dir })
  const crypt = ['--crypt-remote', 'alcove:crypt', '--crypt-password', output.trim()]
  const tree = join(account.dir, 'from other', 'folder 9')
  await rclone('owncloud', ['copy', ...crypt, tree, ':crypt:'])
  const checked = await rclone('owncloud', ['cryptcheck', ...crypt, tree, ':crypt:'])
  expect(checked.output).toContain('0 differences found')
})

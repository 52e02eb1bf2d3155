import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { searchItems } from '@alcove/contract/search'
import { listTrash } from '@alcove/contract/trash'
import { listVersions } from '@alcove/contract/versions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configureRclone, makeTree, type Rclone, runInParts, type Vendor } from './rclone.ts'
import { runProgram } from './run-program.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

let account: ServedAccount
let rclone: Rclone
beforeAll(async () => {
  account = await serveAccount()
  rclone = await configureRclone(account)
})
afterAll(() => account.close())

/** 10,000 files of each vendor would take too long (rclone.measure.ts). */
describe.each<[Vendor, { files: number; folders: number }]>([
  ['owncloud', { files: 10_000, folders: 200 }],
  ['nextcloud', { files: 500, folders: 20 }],
  ['other', { files: 500, folders: 20 }],
])('rclone with the vendor %s', (vendor, size) => {
  it('copies a tree, finds it identical, and transfers nothing the second time', async () => {
    const tree = join(account.dir, `from ${vendor}`)
    await makeTree(tree, size)
    const remote = `alcove:${vendor}`
    await runInParts(rclone, vendor, ['copy', tree, remote])
    await rclone(vendor, ['sync', tree, remote])
    for (const output of await runInParts(rclone, vendor, ['check', '--download', tree, remote])) {
      expect(output).toContain('0 differences found')
    }
    const again = await rclone(vendor, ['sync', '-v', '--checkers', '16', tree, remote])
    expect(again.output).toMatch(/There was nothing to transfer/)
  })

  it('brings back what it sent, with names and dates', async () => {
    const back = join(account.dir, `back ${vendor}`)
    await runInParts(rclone, vendor, ['copy', `alcove:${vendor}`, back])
    await rclone(vendor, ['copy', `alcove:${vendor}`, back])
    const { output } = await runProgram('diff', ['-r', join(account.dir, `from ${vendor}`), back], { cwd: account.dir })
    expect(output).toBe('')
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

import { createFolder } from '@alcove/contract/files'
import { listNotices } from '@alcove/contract/notices'
import { deleteFile } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import { app, setUpDrive, switchToNewUser, trash, user } from '../../testing/factories/drive.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { findStorageLevels, nextLevel, noteUsage, noticeStorageLevels } from './storage-levels.ts'

setUpDrive()
beforeEach(() => switchToNewUser({ allocatedBytes: 1000 }))

const upload = (bytes: number) => user.client.upload('file', 'x'.repeat(bytes))
const remove = async ({ id }: { id: string }) => {
  await trash(id, 'file')
  expect((await user.client.call(deleteFile, { id })).status).toBe(200)
}
/** Returns the notices about the storage, oldest first. Each is in an hour of its own. */
const percents = async () => {
  await noticeStorageLevels(app.services)
  app.clock.advance(3_600_000)
  const { notices } = (await user.client.call(listNotices, {})).body
  return notices.flatMap((notice) => (notice.kind === 'storage' ? [notice.data.percent] : [])).reverse()
}
describe('notices about the storage', () => {
  it('come once for each threshold, also if several uploads are above it', async () => {
    await upload(799)
    expect(await percents()).toEqual([])
    await upload(1)
    expect(await percents()).toEqual([80])
    await upload(50)
    await upload(99)
    expect(await percents()).toEqual([80])
    await upload(1)
    expect(await percents()).toEqual([80, 95])
    await upload(50)
    expect(await percents()).toEqual([80, 95, 100])
  })

  it('name the highest threshold that one upload crosses, and the used space', async () => {
    await upload(960)
    await noticeStorageLevels(app.services)
    expect((await user.client.call(listNotices, {})).body.notices).toMatchObject([
      { kind: 'storage', data: { percent: 95, usedBytes: 960, allocatedBytes: 1000 } },
    ])
  })

  it('come again only after usage has fallen five percentage points below the threshold', async () => {
    await upload(750)
    const last = await upload(60)
    expect(await percents()).toEqual([80])
    await remove(last)
    await upload(60)
    expect(await percents()).toEqual([80])
  })

  it('come again after more than that', async () => {
    const first = await upload(100)
    await upload(710)
    expect(await percents()).toEqual([80])
    await remove(first)
    expect(await percents()).toEqual([80])
    await upload(100)
    expect(await percents()).toEqual([80, 80])
  })

  it('go to everyone who can add to a shared folder when it is full, once to each', async () => {
    const folders = await Promise.all(
      ['One', 'Two'].map((folderName) => user.client.call(createFolder, { folderName })),
    )
    const [one = '', two = ''] = folders.map(({ body }) => body.id)
    const editor = await addTestMember(app, user, one, 'editor')
    app.clock.advance(1)
    await addTestMember(app, user, two, 'contributor', editor)
    const viewer = await addTestMember(app, user, one, 'viewer')
    await upload(950)
    await percents()
    const told = async ({ client }: TestUser) =>
      (await client.call(listNotices, {})).body.notices.filter(({ kind }) => kind === 'shared_storage_full')
    expect(await told(editor)).toEqual([])
    await upload(50)
    await percents()
    await percents()
    const data = { folderId: one, folder: 'One', owner: user.email }
    expect(await told(editor)).toMatchObject([{ data, count: 1 }])
    expect(await told(viewer)).toEqual([])
    expect(await told(user)).toEqual([])
  })

  it('come if the plan becomes smaller, or if the server that stored the file has crashed', async () => {
    await upload(500)
    expect(await percents()).toEqual([])
    await app.services.db.updateTable('users').set({ allocated_bytes: 400 }).where('id', '=', user.id).execute()
    expect(await percents()).toEqual([])
    await findStorageLevels(app.services)
    expect(await percents()).toEqual([100])
    await findStorageLevels(app.services)
    expect(await percents()).toEqual([100])
  })

  it('come once if two servers check at the same time', async () => {
    await upload(900)
    const first = noticeStorageLevels(app.services)
    // The first round has taken the user, so another server would know of them by itself.
    noteUsage(app.services.db, user.id)
    await Promise.all([first, noticeStorageLevels(app.services)])
    expect((await user.client.call(listNotices, {})).body.notices).toMatchObject([{ count: 1 }])
  })
})

it.each([
  [0, 799, 0],
  [0, 800, 80],
  [0, 1000, 100],
  [80, 750, 80],
  [80, 749, 0],
  [95, 900, 95],
  [95, 899, 80],
  [100, 949, 95],
  [100, 899, 80],
  [100, 1200, 100],
])('turns level %i with %i of 1000 bytes into %i', (level, used, next) => {
  expect(nextLevel({ storage_level: level, used_bytes: used, allocated_bytes: 1000 })).toBe(next)
})

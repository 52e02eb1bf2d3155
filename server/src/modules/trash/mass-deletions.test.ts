import { createAppPassword, revokeAppPassword } from '@alcove/contract/app-passwords'
import { getStorage, moveFolder, trashFile } from '@alcove/contract/files'
import { trashItems } from '@alcove/contract/item-calls'
import { listNotices, updateNoticeSettings } from '@alcove/contract/notices'
import {
  deleteFile,
  deleteItems,
  dismissDeletionGroup,
  emptyTrash,
  listDeletionGroups,
  listTrash,
  restoreDeletionGroup,
  restoreItems,
} from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '../../testing/clients/client.ts'
import { DavClient } from '../../testing/clients/dav-client.ts'
import { readSubjects } from '../../testing/clients/sign-up.ts'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { app, listIn, makeFolder, namesIn, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { sweepDeletionGroups } from './deletion-groups.ts'
import { sweepTrash } from './sweep-trash.ts'

const MINUTE = 60_000
const DAY = 86_400_000

setUpDrive({ sessionTtl: 365 * DAY, sessionMaxAge: 365 * DAY, trashRetention: 7 * DAY })

let client: TestClient
beforeEach(async () => {
  client = (await addAppPassword(app, user, { name: 'Laptop' })).client
})

/** Adds files to a folder, or to the root. Returns their ids. */
const addFiles = (count: number, folderId?: string, prefix = 'file') =>
  addManyItems(app.services, {
    ownerId: user.id,
    ...(folderId && { folderId }),
    names: Array.from({ length: count }, (_unused, number) => `${prefix} ${number}`),
  })
const deleteBy = async (by: TestClient, itemIds: string[]) => {
  expect((await by.call(trashItems, { itemIds })).status).toBe(200)
}
const groups = async () => (await user.client.call(listDeletionGroups, {})).body.deletionGroups
const notices = async () =>
  (await user.client.call(listNotices, {})).body.notices.filter(({ kind }) => kind === 'mass_deletion')
const inTrash = async () => {
  const { files, folders } = (await user.client.call(listTrash, {})).body
  return files.length + folders.length
}
const isAlarmed = async () => (await user.client.call(getStorage, {})).body.has_mass_deletion ?? false

async function connectDav(folderId: string | null = null): Promise<DavClient> {
  const { body } = await user.client.call(createAppPassword, { name: 'Sync', scope: 'write', folderId })
  return new DavClient(app.app, user.email, body.secret)
}

describe('recognizing a mass deletion', () => {
  it('takes at least 50 files', async () => {
    const ids = await addFiles(50)
    await deleteBy(client, ids.slice(0, 49))
    expect(await groups()).toEqual([])
    await deleteBy(client, ids.slice(49))
    expect(await groups()).toMatchObject([{ files: 50, appPassword: 'Laptop' }])
  })

  it('takes more than a fifth of the files', async () => {
    const ids = await addFiles(300)
    await deleteBy(client, ids.slice(0, 60))
    expect({ groups: await groups(), isAlarmed: await isAlarmed() }).toEqual({ groups: [], isAlarmed: false })
    await deleteBy(client, ids.slice(60, 61))
    expect(await groups()).toMatchObject([{ files: 61 }])
    expect(await isAlarmed()).toBe(true)
  })

  it('counts what an app deletes within ten minutes, however it is spread', async () => {
    const ids = await addFiles(90)
    await deleteBy(client, ids.slice(0, 30))
    app.clock.advance(6 * MINUTE)
    await deleteBy(client, ids.slice(30, 45))
    app.clock.advance(4 * MINUTE)
    await deleteBy(client, ids.slice(45, 70))
    expect(await groups()).toEqual([])
    app.clock.advance(MINUTE)
    await deleteBy(client, ids.slice(70, 80))
    expect(await groups()).toMatchObject([{ files: 50 }])
  })

  it('restores everything that belongs to it, though it was deleted minutes before the alarm', async () => {
    const ids = await addFiles(60)
    const startedAt = new Date(app.clock.now()).toISOString()
    for (let at = 0; at < 60; at += 10) {
      await deleteBy(client, ids.slice(at, at + 10))
      app.clock.advance(1.5 * MINUTE)
    }
    const [group] = await groups()
    expect(group).toMatchObject({ files: 60, startedAt })
    expect((await user.client.call(restoreDeletionGroup, { id: group?.id as string })).body.files).toBe(60)
    expect(await inTrash()).toBe(0)
  })

  it('counts each app on its own', async () => {
    const ids = await addFiles(80)
    const other = (await addAppPassword(app, user, { name: 'Phone' })).client
    await deleteBy(client, ids.slice(0, 40))
    await deleteBy(other, ids.slice(40))
    expect(await groups()).toEqual([])
  })

  it('gives one notice, however much the app deletes after that', async () => {
    const ids = await addFiles(100)
    await deleteBy(client, ids.slice(0, 60))
    await deleteBy(client, ids.slice(60))
    expect(await notices()).toMatchObject([{ count: 1, data: { appPassword: 'Laptop' } }])
  })

  it('never takes what a person deletes for one', async () => {
    await deleteBy(user.client, await addFiles(100))
    expect(await groups()).toEqual([])
    const rows = app.services.db.selectFrom('deletion_groups').select('id').where('user_id', '=', user.id)
    expect(await rows.execute()).toEqual([])
  })

  it('counts all files below a folder that one DELETE removes', async () => {
    const folder = await makeFolder('Photos')
    const year = await makeFolder('2024', folder.id)
    await addFiles(30, folder.id)
    await addFiles(30, year.id)
    const dav = await connectDav()
    expect((await dav.send('DELETE', 'Photos', { headers: { 'user-agent': 'rclone/v1.68.0' } })).status).toBe(204)
    expect(await groups()).toMatchObject([{ files: 60, app: 'rclone', appPassword: 'Sync' }])
  })

  it('counts files that an app moves over another one, and restores them', async () => {
    const dav = await connectDav()
    for (let number = 0; number <= 50; number++) await dav.put(`${number}`, `${number}`)
    app.clock.advance(MINUTE)
    for (let number = 1; number <= 50; number++) {
      expect(await groups()).toEqual([])
      const headers = { destination: '/dav/0', 'user-agent': 'rclone/v1.68.0' }
      expect((await dav.send('MOVE', `${number}`, { headers })).status).toBe(204)
    }
    const [group] = await groups()
    expect(group).toMatchObject({ files: 50, app: 'rclone', appPassword: 'Sync' })
    await user.client.call(restoreDeletionGroup, { id: group?.id as string })
    expect(await namesIn()).toHaveLength(51)
  })

  it('counts no file that an app has just made to save another one with it', async () => {
    const dav = await connectDav()
    for (let number = 0; number <= 50; number++) {
      await dav.put('new', `${number}`)
      expect((await dav.send('MOVE', 'new', { headers: { destination: '/dav/0' } })).status).toBe(number ? 204 : 201)
    }
    const rows = app.services.db.selectFrom('deletion_groups').select('id').where('user_id', '=', user.id)
    expect(await rows.execute()).toEqual([])
    expect(await inTrash()).toBe(0)
  })

  it('compares deletions in the folder of an app password with the whole drive', async () => {
    const folder = await makeFolder('Only this')
    const inside = await makeFolder('inside', folder.id)
    await addFiles(60, inside.id)
    await addFiles(240)
    const dav = await connectDav(folder.id)
    expect((await dav.send('DELETE', 'inside')).status).toBe(204)
    expect(await groups()).toEqual([])
  })

  it('counts a folder that a MOVE replaces, but not a file that is saved by moving another one over it', async () => {
    const folder = await makeFolder('Photos')
    await addFiles(60, folder.id)
    await makeFolder('Empty')
    const dav = await connectDav()
    for (let number = 0; number < 5; number++) {
      await dav.put('new', `text ${number}`)
      await dav.send('MOVE', 'new', { headers: { destination: '/dav/saved' } })
    }
    const rows = app.services.db.selectFrom('deletion_groups').select('files').where('user_id', '=', user.id)
    expect(await rows.execute()).toEqual([])
    expect((await dav.send('MOVE', 'Empty', { headers: { destination: '/dav/Photos' } })).status).toBe(204)
    expect(await groups()).toMatchObject([{ files: 60 }])
  })

  it('raises one alarm if requests arrive at the same time', async () => {
    const ids = await addFiles(70)
    await Promise.all(ids.map((id) => client.call(trashFile, { id })))
    expect(await groups()).toMatchObject([{ files: 70 }])
    await app.services.jobs.runDue()
    const subjects = await readSubjects(app, user.email)
    // The mail is sent at once, so the last requests may not have ended.
    expect(subjects.filter((subject) => subject.startsWith('An app deleted'))).toEqual([
      expect.stringMatching(/^An app deleted (5\d|6\d|70) files - Alcove$/),
    ])
    const mail = (await app.readMails()).find(
      (text) => text.includes(`To: ${user.email}`) && text.includes('An app deleted'),
    )
    for (const part of ['Laptop', '/trash', '/account']) expect(mail).toContain(part)
  })

  it('sends no mail if the user has turned such mails off, but gives the notice', async () => {
    await user.client.call(updateNoticeSettings, { mail: { mass_deletion: false } })
    await deleteBy(client, await addFiles(60))
    await app.services.jobs.runDue()
    const subjects = await readSubjects(app, user.email)
    expect(subjects.filter((subject) => subject.startsWith('An app deleted'))).toEqual([])
    expect(await notices()).toHaveLength(1)
  })

  it('adds later deletions without a second mail until the app pauses', async () => {
    const ids = await addFiles(300)
    await deleteBy(client, ids.slice(0, 100))
    await app.services.jobs.runDue()
    for (let at = 100; at < 300; at += 50) {
      app.clock.advance(9 * MINUTE)
      await deleteBy(client, ids.slice(at, at + 50))
    }
    await app.services.jobs.runDue()
    expect(await groups()).toMatchObject([{ files: 300 }])
    const subjects = await readSubjects(app, user.email)
    expect(subjects.filter((subject) => subject.startsWith('An app deleted'))).toEqual([
      'An app deleted 100 files - Alcove',
    ])
    await sweepDeletionGroups(app.services)
    expect(await groups()).toHaveLength(1)
  })

  it('survives that its app password is revoked', async () => {
    const { id, client: other } = await addAppPassword(app, user, { name: 'Gone' })
    await deleteBy(other, await addFiles(50))
    await user.client.call(revokeAppPassword, { id })
    expect(await groups()).toMatchObject([{ appPassword: 'Gone', files: 50 }])
  })
})

describe('the items of a mass deletion', () => {
  let ids: string[]
  beforeEach(async () => {
    ids = await addFiles(60)
    await deleteBy(client, ids)
  })
  const theGroup = async () => (await groups())[0]?.id as string

  it('are kept for 30 days even if the trash is emptied sooner', async () => {
    await deleteBy(user.client, await addFiles(1, undefined, 'other'))
    app.clock.advance(30 * DAY - 1)
    await sweepTrash(app.services)
    const { files } = (await user.client.call(listTrash, {})).body
    expect(files).toHaveLength(60)
    expect(files[0]).toMatchObject({ daysLeft: 1 })
    app.clock.advance(1)
    await sweepTrash(app.services)
    expect(await inTrash()).toBe(0)
    expect({ groups: await groups(), isAlarmed: await isAlarmed() }).toEqual({ groups: [], isAlarmed: false })
    await sweepDeletionGroups(app.services)
    const rows = app.services.db.selectFrom('deletion_groups').select('id').where('user_id', '=', user.id)
    expect(await rows.execute()).toEqual([])
  })

  it('can’t be deleted permanently by an app', async () => {
    const id = ids[0] as string
    const refused = { status: 403, body: { code: 'forbidden' } }
    expect(await client.call(deleteFile, { id })).toMatchObject(refused)
    expect(await client.call(deleteItems, { itemIds: [id] })).toMatchObject(refused)
    await deleteBy(user.client, await addFiles(1, undefined, 'other'))
    expect((await client.call(emptyTrash, {})).status).toBe(200)
    expect(await inTrash()).toBe(60)
  })

  it('can’t be deleted permanently in the trash of a Nextcloud client', async () => {
    const dav = await connectDav()
    const trashbin = `/remote.php/dav/trashbin/${user.email}/trash`
    const [, first] = await dav.propfind(trashbin, '1')
    expect((await dav.send('DELETE', first?.href as string)).status).toBe(403)
    expect((await dav.send('DELETE', trashbin)).status).toBe(204)
    expect(await inTrash()).toBe(60)
  })

  it('can be deleted permanently by their owner', async () => {
    expect((await user.client.call(deleteFile, { id: ids[0] as string })).status).toBe(200)
    expect((await user.client.call(emptyTrash, {})).status).toBe(200)
    expect(await inTrash()).toBe(0)
    expect(await groups()).toEqual([])
  })

  it('are restored at once, get free names, and go to the root if their folder is gone', async () => {
    const folder = await makeFolder('Photos')
    const inside = await addFiles(5, folder.id, 'inside')
    await deleteBy(client, inside)
    await deleteBy(user.client, [folder.id])
    await user.client.upload('file 0', 'new')
    const { status, body } = await user.client.call(restoreDeletionGroup, { id: await theGroup() })
    expect({ status, body }).toEqual({ status: 200, body: { message: '65 files restored.', files: 65 } })
    const names = await namesIn()
    expect(names).toHaveLength(66)
    expect(names).toEqual(expect.arrayContaining(['file 0', 'file 0 (1)', 'inside 4']))
    expect({ groups: await groups(), isAlarmed: await isAlarmed() }).toEqual({ groups: [], isAlarmed: false })
  })

  it('are restored with their folders if an app deleted both', async () => {
    const folder = await makeFolder('Photos')
    const inside = await addFiles(3, folder.id, 'inside')
    await deleteBy(client, inside)
    await deleteBy(client, [folder.id])
    await user.client.call(restoreDeletionGroup, { id: await theGroup() })
    expect(await namesIn(folder.id)).toHaveLength(3)
  })

  it('are restored once if two requests ask for it at the same time', async () => {
    const id = await theGroup()
    const restore = () => user.client.call(restoreDeletionGroup, { id })
    const responses = await Promise.all([restore(), restore()])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(responses.map(({ body }) => body.files).sort()).toEqual([0, 60])
    expect(await listIn()).toHaveLength(60)
  })

  it('leave the group when they are restored one by one', async () => {
    await user.client.call(restoreItems, { itemIds: ids })
    expect({ groups: await groups(), isAlarmed: await isAlarmed() }).toEqual({ groups: [], isAlarmed: false })
  })

  it('cause another alarm if the app deletes them again after they were restored', async () => {
    const first = await theGroup()
    await user.client.call(restoreDeletionGroup, { id: first })
    await deleteBy(client, ids)
    expect(await groups()).toMatchObject([{ files: 60 }])
    expect(await theGroup()).not.toBe(first)
  })

  it('stay in the trash when the message about them is dismissed', async () => {
    const id = await theGroup()
    expect((await user.client.call(dismissDeletionGroup, { id })).status).toBe(200)
    expect({ groups: await groups(), isAlarmed: await isAlarmed() }).toEqual({ groups: [], isAlarmed: false })
    await deleteBy(client, await addFiles(60, undefined, 'more'))
    expect(await groups()).toEqual([])
    app.clock.advance(29 * DAY)
    await sweepTrash(app.services)
    expect(await inTrash()).toBe(120)
  })

  it('are announced only in sessions', async () => {
    expect((await client.call(getStorage, {})).body).not.toHaveProperty('has_mass_deletion')
    expect((await client.raw(listDeletionGroups, {})).status).toBe(403)
  })
})

describe('a mass deletion by a member of a shared folder', () => {
  const share = async () => {
    const folder = (await makeFolder('Trip')).id
    return { folder, ids: await addFiles(60, folder), member: await addTestMember(app, user, folder, 'editor') }
  }

  it('tells the owner who it was, and the owner restores it at once', async () => {
    const { folder, ids, member } = await share()
    await deleteBy(member.client, ids.slice(0, 49))
    expect(await groups()).toEqual([])
    await deleteBy(member.client, ids.slice(49))
    const [group] = await groups()
    expect(group).toMatchObject({ app: member.email, appPassword: '', member: member.email, files: 60 })
    expect(await isAlarmed()).toBe(true)
    const data = { app: member.email, appPassword: '', member: member.email }
    expect(await notices()).toMatchObject([{ data }])
    await app.services.jobs.runDue()
    const mails = await readSubjects(app, user.email)
    expect(mails).toContain(`${member.email} deleted 60 files - Alcove`)
    expect((await member.client.call(listDeletionGroups, {})).body.deletionGroups).toEqual([])
    expect((await member.client.call(restoreDeletionGroup, { id: group?.id as string })).status).toBe(404)
    expect((await user.client.call(restoreDeletionGroup, { id: group?.id as string })).body.files).toBe(60)
    expect(await listIn(folder)).toHaveLength(60)
    expect(await groups()).toEqual([])
  })

  it('counts what the member deletes in all shared folders together, and moves to the own drive', async () => {
    const { folder, ids, member } = await share()
    const second = (await makeFolder('Second')).id
    await addFiles(30, second, 'second')
    const inner = (await makeFolder('Inner', second)).id
    await addFiles(10, inner, 'inner')
    await addTestMember(app, user, second, 'editor', member)
    await deleteBy(member.client, ids.slice(0, 45))
    const moved = await member.client.call(moveFolder, { folderId: inner, targetFolderId: null })
    expect(moved.status).toBe(200)
    expect(await groups()).toMatchObject([{ files: 55, member: member.email }])
    expect(await listIn(folder)).toHaveLength(15)
  })

  it('is not made of the deletions of several people', async () => {
    const { folder, ids, member } = await share()
    const other = await addTestMember(app, user, folder, 'editor')
    await deleteBy(member.client, ids.slice(0, 30))
    await deleteBy(other.client, ids.slice(30))
    await deleteBy(user.client, await addFiles(20, undefined, 'own'))
    expect(await groups()).toEqual([])
  })

  it('can be undone by the member, which ends the message', async () => {
    const { folder, ids, member } = await share()
    await deleteBy(member.client, ids)
    expect(await isAlarmed()).toBe(true)
    expect((await member.client.call(restoreItems, { itemIds: ids })).status).toBe(200)
    expect({ groups: await groups(), isAlarmed: await isAlarmed() }).toEqual({ groups: [], isAlarmed: false })
    expect(await listIn(folder)).toHaveLength(60)
  })
})

import { randomUUID } from 'node:crypto'
import { type Activity, listActivity } from '@alcove/contract/activity'
import { createFolder, moveFile, moveFolder, renameFile, renameFolder, trashFile } from '@alcove/contract/files'
import { moveItems } from '@alcove/contract/item-calls'
import { createLink } from '@alcove/contract/links'
import { removeMember } from '@alcove/contract/members'
import { updateProfile } from '@alcove/contract/profile'
import { openSubmission } from '@alcove/contract/submissions'
import { emptyTrash, restoreFile } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../testing/clients/client.ts'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { deleteUser } from '../accounts/index.ts'

setUpDrive()

const PERIOD = 10 * 60_000
const nextPeriod = () => app.clock.advance(PERIOD - (app.clock.now() % PERIOD))

let outer: string
let shared: string
let inner: string
beforeEach(async () => {
  outer = (await makeFolder('Private')).id
  shared = (await makeFolder('Trip', outer)).id
  inner = (await makeFolder('Day 1', shared)).id
  nextPeriod()
})

const list = async (client: TestClient, folderId?: string) =>
  (await client.call(listActivity, { limit: 100, folderId })).body.activities
const read = async (client: TestClient, folderId?: string) =>
  (await list(client, folderId)).map(
    ({ action, items, folder, origin }) =>
      `${action} ${items[0]?.name} in ${folder?.name ?? '-'}${origin === null ? '' : ` from ${origin.name}`}`,
  )
const actorOf = ([entry]: readonly Activity[]) => entry?.actor

describe('a member of a shared folder', () => {
  it('sees what others did there, and is named with what it did itself', async () => {
    const { client, email } = await addTestMember(app, user, shared, 'editor')
    await user.client.upload('mine.txt', 'x', { folderId: inner })
    nextPeriod()
    await client.upload('theirs.txt', 'x', { folderId: shared })
    const all = ['added theirs.txt in Trip', 'added mine.txt in Day 1', 'added Day 1 in Trip']
    expect(await read(client, shared)).toEqual(all)
    expect(await read(client, inner)).toEqual(['added mine.txt in Day 1'])
    expect(await read(user.client, shared)).toEqual(all)
    expect(actorOf(await list(client, shared))).toEqual({ kind: 'user', name: email, isYou: true, app: null })
    expect(actorOf(await list(user.client))).toEqual({ kind: 'user', name: email, isYou: false, app: null })
    expect(actorOf(await list(client, inner))).toEqual({ kind: 'user', name: user.email, isYou: false, app: null })
    await user.client.call(updateProfile, { displayName: 'Mara' })
    expect(actorOf(await list(client, inner))?.name).toBe('Mara')
    expect(await list(client)).toEqual([])
  })

  it('sees nothing from outside, not even where something was moved to or from', async () => {
    const { client } = await addTestMember(app, user, shared, 'viewer')
    const file = await user.client.upload('a.txt', 'x', { folderId: inner })
    nextPeriod()
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: outer })
    nextPeriod()
    await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'secret.txt', folderId: outer })
    expect(await read(client, shared)).toEqual([
      'moved a.txt in - from Day 1',
      ...['added a.txt in Day 1', 'added Day 1 in Trip'],
    ])
    for (const entry of await list(client, inner))
      expect(entry.items).toMatchObject([{ id: file.id, exists: false, parentId: null }])
    nextPeriod()
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: inner })
    expect((await list(client, shared))[0]).toMatchObject({
      ...{ action: 'moved', folder: { id: inner, name: 'Day 1', exists: true }, origin: null },
      items: [{ name: 'secret.txt', exists: true, parentId: inner }],
    })
    nextPeriod()
    await user.client.call(moveFolder, { folderId: inner, targetFolderId: outer })
    await user.client.upload('later.txt', 'x', { folderId: inner })
    await user.client.call(renameFolder, { id: shared, newName: 'Journey' })
    expect(await read(client, shared)).toEqual(['moved Day 1 in - from Trip', 'added Day 1 in Trip'])
    expect(JSON.stringify(await list(client, shared))).not.toContain(outer)
    for (const id of [outer, inner, randomUUID()]) {
      expect((await client.call(listActivity, { folderId: id })).status).toBe(404)
    }
  })

  it('sees nothing of the trash but what went there and came back', async () => {
    const ofFolder = await addAppPassword(app, user, { folderId: shared })
    const { client } = await addTestMember(app, user, shared, 'editor')
    const file = await client.upload('a.txt', 'x', { folderId: shared })
    nextPeriod()
    await client.call(trashFile, { id: file.id })
    expect((await list(client, shared))[0]).toMatchObject({ action: 'trashed', items: [{ exists: false }] })
    expect((await list(user.client, shared))[0]).toMatchObject({ action: 'trashed', items: [{ exists: false }] })
    nextPeriod()
    await user.client.call(restoreFile, { id: file.id })
    nextPeriod()
    await ofFolder.client.call(trashFile, { id: file.id })
    expect((await ofFolder.client.call(emptyTrash, {})).status).toBe(200)
    expect((await read(client, shared)).slice(0, 2)).toEqual(['trashed a.txt in Trip', 'restored a.txt in Trip'])
    expect(await read(user.client)).toContain('deleted a.txt in Trip')
  })

  it('sees nothing any more once it is removed', async () => {
    const { client, memberId } = await addTestMember(app, user, shared, 'manager')
    expect(await list(client, shared)).toHaveLength(1)
    await user.client.call(removeMember, { id: shared, memberId })
    expect((await client.call(listActivity, { folderId: shared })).status).toBe(404)
  })

  it('is a user without a name once its account is deleted', async () => {
    const member = await addTestMember(app, user, shared, 'editor')
    await member.client.upload('a.txt', 'x', { folderId: shared })
    await deleteUser(app.services, member.id)
    expect(actorOf(await list(user.client, shared))).toEqual({ kind: 'user', name: '', isYou: false, app: null })
  })

  it('doesn’t learn which apps the owner uses', async () => {
    const { client } = await addTestMember(app, user, shared, 'viewer')
    const camera = await addAppPassword(app, user, { name: 'Camera' })
    await camera.client.upload('1.jpg', 'x', { folderId: shared })
    expect(actorOf(await list(user.client, shared))?.app).toBe('Camera')
    expect(actorOf(await list(client, shared))?.app).toBeNull()
  })
})

describe('visitors', () => {
  async function visit(fields: object, visitorName?: string): Promise<TestClient> {
    const { link } = (await user.client.call(createLink, { id: shared, right: 'upload', ...fields })).body
    const token = link.slice(link.lastIndexOf('/') + 1)
    const opened = await app.visitor.call(openSubmission, { token, ...(visitorName !== undefined && { visitorName }) })
    return new TestClient(app.app, opened.body.secret)
  }
  const send = (visitor: TestClient, filename: string, fields: object = {}) =>
    visitor.upload(filename, 'x', { totalSize: 1, uploadId: randomUUID(), ...fields })

  it('are listed with the name that they gave', async () => {
    const ada = await visit({ visitorName: 'optional' }, 'Ada')
    for (const name of ['1.jpg', '2.jpg']) await send(ada, name)
    expect((await list(user.client, shared))[0]).toMatchObject({
      ...{ action: 'added', count: 2, folder: { id: shared } },
      actor: { kind: 'visitor', name: 'Ada', isYou: false, app: null },
    })
    await send(await visit({}), '3.jpg')
    const visitors = (await list(user.client, shared)).filter(({ actor }) => actor.kind === 'visitor')
    expect(visitors.map(({ actor, count }) => `${actor.name} ${count}`).sort()).toEqual([' 1', 'Ada 2'])
  })

  it('are listed once with what they send into a folder of their own', async () => {
    const ada = await visit({ visitorName: 'required', folderPerVisitor: true }, 'Ada')
    for (const name of ['1.jpg', '2.jpg']) await send(ada, name, { relativePath: `Photos/${name}/${name}` })
    const entries = await list(user.client, shared)
    expect(
      entries
        .slice(0, 2)
        .map(({ count, folder }) => [count, folder?.name])
        .sort(),
    ).toEqual([
      [1, 'Trip'],
      [2, 'Ada'],
    ])
  })

  it('read nothing', async () => {
    const ada = await visit({})
    for (const folderId of [shared, undefined]) expect((await ada.call(listActivity, { folderId })).status).toBe(403)
  })
})

it('tells both drives of what is moved from one to the other, and each only its own part', async () => {
  const { client, email } = await addTestMember(app, user, shared, 'editor')
  const own = (await client.call(createFolder, { folderName: 'Own' })).body.id
  const file = await client.upload('a.txt', 'x', { folderId: own })
  nextPeriod()
  expect((await client.call(moveFile, { fileId: file.id, targetFolderId: inner })).status).toBe(200)
  expect((await read(user.client))[0]).toBe('added a.txt in Day 1')
  expect(actorOf(await list(user.client))).toMatchObject({ name: email, isYou: false })
  expect((await read(client))[0]).toBe('trashed a.txt in Own')
  expect(JSON.stringify(await list(user.client))).not.toContain(own)
  expect(JSON.stringify(await list(client))).not.toContain(inner)
})

it('is deleted with the account of the owner', async () => {
  const count = () => app.services.db.selectFrom('activities').select('id').where('owner_id', '=', user.id).execute()
  expect(await count()).toHaveLength(3)
  await deleteUser(app.services, user.id)
  expect(await count()).toEqual([])
})

it('hides no change of many items from a member who made it', async () => {
  const { client } = await addTestMember(app, user, shared, 'editor')
  const folders: string[] = []
  for (let index = 0; index < 25; index++) {
    const id = (await client.call(createFolder, { folderName: `f${index}`, parentFolderId: inner })).body.id
    folders.push((await client.upload('a.txt', 'x', { folderId: id })).id)
  }
  nextPeriod()
  const moved = { itemIds: folders, targetFolderId: shared, onConflict: 'keepBoth' as const }
  expect((await client.call(moveItems, moved)).status).toBe(200)
  const entries = (await list(client, shared)).filter(({ action }) => action === 'moved')
  expect(entries).toHaveLength(21)
  expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(25)
})

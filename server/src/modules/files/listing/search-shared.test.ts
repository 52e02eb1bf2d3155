import { randomUUID } from 'node:crypto'
import { createFolder, moveFolder, trashFolder } from '@alcove/contract/files'
import { removeMember } from '@alcove/contract/members'
import { searchItems } from '@alcove/contract/search'
import { restoreFolder } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '../../../testing/clients/client.ts'
import { countStatements } from '../../../testing/engines/item-scans.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { app, makeFolder, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { addManyItems, addNames, indexNames } from '../../../testing/factories/many-items.ts'
import { addTestMember, type TestMember } from '../../../testing/factories/shares.ts'

setUpDrive()

let outer: string
let folder: string
let inner: string
let member: TestMember
beforeEach(async () => {
  outer = (await makeFolder('Private walnut')).id
  folder = (await makeFolder('Trip', outer)).id
  inner = (await makeFolder('Day 1', folder)).id
  member = await addTestMember(app, user, folder, 'viewer')
})

const search = async (q: string, client: TestClient = member.client, folderId?: string) => {
  const response = await client.call(searchItems, { q, ...(folderId && { folderId }) })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body
}
const namesFor = async (...given: Parameters<typeof search>) => (await search(...given)).map(({ name }) => name)
const many = (count: number, name: (index: number) => string) => Array.from({ length: count }, (_, at) => name(at))
const fill = (folderId: string, names: string[]) => addManyItems(app.services, { ownerId: user.id, folderId, names })

describe('a member’s search', () => {
  it('ranks own and shared items in one list, with paths that begin at the shared folder', async () => {
    const deep = await user.client.upload('walnut', 'x', { folderId: inner })
    await user.client.upload('walnut outside.txt', 'x', { folderId: outer })
    const own = await member.client.upload('walnut cake', 'x')
    const sharedBy = { email: user.email, displayName: null, role: 'viewer' }
    expect(await search('WALNUT')).toEqual([
      { id: deep.id, name: 'walnut', type: 'file', path: '/Trip/Day 1/walnut', folder_id: inner, sharedBy },
      { id: own.id, name: 'walnut cake', type: 'file', path: '/walnut cake', folder_id: null },
    ])
    expect(await search('trip')).toEqual([
      { id: folder, name: 'Trip', type: 'folder', path: '/Trip', folder_id: null, sharedBy },
    ])
    expect(await search('private')).toEqual([])
  })

  it('finds an item once where folders inside each other are both shared', async () => {
    const { id } = await user.client.upload('walnut', 'x', { folderId: inner })
    await addTestMember(app, user, inner, 'editor', member)
    expect(await search('walnut')).toMatchObject([{ id, path: '/Trip/Day 1/walnut', sharedBy: { role: 'editor' } }])
    expect(await search('day')).toMatchObject([{ id: inner, path: '/Trip/Day 1', folder_id: folder }])
    await user.client.call(removeMember, { id: folder, memberId: member.memberId })
    expect(await search('walnut')).toMatchObject([{ id, path: '/Day 1/walnut' }])
    expect(await search('day')).toMatchObject([{ id: inner, path: '/Day 1', folder_id: null }])
  })

  it('ends with the membership, and while the folder is in the trash', async () => {
    await user.client.upload('walnut', 'x', { folderId: inner })
    await user.client.call(trashFolder, { id: outer })
    expect(await search('walnut')).toEqual([])
    await user.client.call(restoreFolder, { id: outer })
    expect(await namesFor('walnut')).toEqual(['walnut'])
    await user.client.call(moveFolder, { folderId: inner, targetFolderId: outer })
    expect(await search('walnut')).toEqual([])
    await user.client.call(moveFolder, { folderId: inner, targetFolderId: folder })
    await user.client.call(removeMember, { id: folder, memberId: member.memberId })
    expect(await search('walnut')).toEqual([])
    expect((await member.client.call(searchItems, { q: 'walnut', folderId: folder })).status).toBe(404)
  })

  it('in one folder finds only what lies below it', async () => {
    await user.client.upload('walnut', 'x', { folderId: inner })
    await user.client.upload('walnut 2', 'x', { folderId: folder })
    await member.client.upload('walnut 3', 'x')
    expect(await search('walnut', member.client, inner)).toMatchObject([{ path: '/Trip/Day 1/walnut' }])
    expect(await namesFor('walnut', member.client, folder)).toEqual(['walnut', 'walnut 2'])
    expect(await search('day', member.client, inner)).toEqual([])
    expect(await search('walnut', user.client, folder)).toMatchObject([
      { path: '/Private walnut/Trip/Day 1/walnut', folder_id: inner },
      { path: '/Private walnut/Trip/walnut 2' },
    ])
    expect((await search('walnut', user.client, folder))[0]).not.toHaveProperty('sharedBy')
    for (const folderId of [outer, randomUUID()]) {
      expect((await member.client.call(searchItems, { q: 'walnut', folderId })).status).toBe(404)
    }
  })

  it('finds nothing shared with an app password', async () => {
    await user.client.upload('walnut', 'x', { folderId: inner })
    const own = await addAppPassword(app, member)
    expect(await search('walnut', own.client)).toEqual([])
  })

  it('shows nothing of invitations that are not accepted', async () => {
    const stranger = await app.createUser()
    await user.client.upload('walnut', 'x', { folderId: inner })
    expect(await search('walnut', stranger.client)).toEqual([])
  })
})

describe('a member’s search in large folders', () => {
  it.each(['not yet indexed', 'indexed'])(
    'finds rare and common names among 15,000 that are %s',
    async (state) => {
      const sub = (await user.client.call(createFolder, { folderName: 'Sub', parentFolderId: inner })).body.id
      await fill(
        inner,
        many(5000, (index) => `img inside ${index}`),
      )
      await fill(sub, ['common needle', ...many(1000, (index) => `other ${index}`)])
      // Nine thousand names outside match as well, and the newest are preferred.
      await addNames(
        app.services.db,
        user,
        many(9000, (index) => `common ${index}`),
      )
      if (state === 'indexed') await indexNames(app.services)
      expect(await namesFor('needle')).toEqual(['common needle'])
      expect(await namesFor('img inside 4711')).toEqual(['img inside 4711'])
      expect(await namesFor('common')).toEqual(['common needle'])
      expect(await search('common 77')).toEqual([])
      const common = await namesFor('img')
      expect(common).toHaveLength(200)
      expect(common.every((name) => name.startsWith('img inside'))).toBe(true)
    },
    120_000,
  )

  it('makes few statements for very many shared folders', async () => {
    const ids = await addManyItems(app.services, {
      ...{ ownerId: user.id, kind: 'folder', names: many(300, (index) => `shared ${index}`) },
    })
    const now = app.clock.now()
    const rows = ids.map((id) => ({
      ...{ id: randomUUID(), folder_id: id, owner_id: user.id, user_id: member.id, email: member.email },
      ...{ role: 'viewer' as const, invited_by: user.id, created_at: now, accepted_at: now },
    }))
    for (const row of rows) await app.services.db.insertInto('members').values(row).execute()
    expect(await namesFor('shared')).toHaveLength(200)
    expect(await countStatements(() => search('shared'))).toBeLessThan(20)
  })

  it('costs users without shared folders nothing', async () => {
    const other = await app.createUser()
    const before = await countStatements(() => search('walnut', other.client))
    const with_ = await countStatements(() => search('walnut'))
    expect(before).toBeLessThan(with_)
  })
})

import { randomInt } from 'node:crypto'
import { createFolder, renameFolder } from '@alcove/contract/files'
import { copyItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { deleteItems, restoreItems } from '@alcove/contract/trash'
import { listVersions, restoreVersion } from '@alcove/contract/versions'
import { describe, expect, it } from 'vitest'
import type { ItemRow } from '../../platform/db/tables.ts'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { app, makeFolder, setUpDrive, switchToNewUser, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'
import { readFileNumbers } from './file-numbers.ts'
import { folderTag, followFolders, readTreeSizes } from './folder-changes.ts'
import { measureFolder } from './read/measure-folder.ts'

setUpDrive()

const follow = () => followFolders({ ...app.services, user })

async function readFolders(): Promise<ItemRow[]> {
  const folders = app.services.db.selectFrom('items').selectAll().where('owner_id', '=', user.id)
  return folders.where('kind', '=', 'folder').where('trash_id', 'is', null).orderBy('id').execute()
}

/** Returns everything visible below each folder as text, by the folder's id. */
async function readContents(): Promise<Map<string, string>> {
  const rows = await app.services.db
    .selectFrom('items')
    .select(['id', 'parent_id', 'name', 'blob_key', 'size'])
    .where('owner_id', '=', user.id)
    .where('trash_id', 'is', null)
    .orderBy('id')
    .execute()
  const below = (id: string): string =>
    rows
      .filter((row) => row.parent_id === id)
      .map((row) => `${row.id} ${row.name} ${row.blob_key} (${below(row.id)})`)
      .join('\n')
  return new Map(rows.map(({ id }) => [id, below(id)]))
}

async function readTags(): Promise<Map<string, string>> {
  const since = await follow()
  return new Map((await readFolders()).map((folder) => [folder.id, folderTag(folder, since)]))
}

/** Runs a change and returns the ids of the folders whose tag changed. Folders that it creates or removes don't count. */
async function changedBy(change: () => Promise<unknown>): Promise<Set<string>> {
  const before = await readTags()
  await change()
  const after = await readTags()
  return new Set([...before].filter(([id, tag]) => after.has(id) && after.get(id) !== tag).map(([id]) => id))
}

const rootId = async () =>
  (await readFolders()).find(({ parent_id, area }) => parent_id === null && area === 'drive')?.id

describe('the tag of a folder', () => {
  it('changes in all folders above a change and in no others', async () => {
    const a = await makeFolder('a')
    const b = await makeFolder('b', a.id)
    const c = await makeFolder('c', b.id)
    const aside = await makeFolder('aside', a.id)
    const root = (await rootId()) as string
    await follow()
    const upload = () => user.client.upload('f.txt', 'x', { folderId: c.id, onConflict: 'replace' })
    expect(await changedBy(upload)).toEqual(new Set([root, a.id, b.id, c.id]))
    expect(await changedBy(upload)).toEqual(new Set([root, a.id, b.id, c.id]))
    const move = () => user.client.call(moveItems, { itemIds: [c.id], targetFolderId: aside.id })
    expect(await changedBy(move)).toEqual(new Set([root, a.id, b.id, aside.id]))
    expect(await changedBy(() => user.client.call(renameFolder, { id: aside.id, newName: 'other' }))).toEqual(
      new Set([root, a.id]),
    )
    expect(await changedBy(() => user.client.call(trashItems, { itemIds: [b.id] }))).toEqual(new Set([root, a.id]))
    expect(await changedBy(() => user.client.call(restoreItems, { itemIds: [b.id] }))).toEqual(new Set([root, a.id]))
    expect(await changedBy(() => user.client.call(deleteItems, { itemIds: [] }))).toEqual(new Set())
  })

  it('stays the same while nobody changes anything, also for a client that begins later', async () => {
    await makeFolder('a')
    const first = await readTags()
    expect(await readTags()).toEqual(first)
    const other = await app.createUser()
    await other.client.call(createFolder, { folderName: 'x' })
    expect(await readTags()).toEqual(first)
  })
})

describe('tags and sizes of folders', () => {
  it('are right after any changes, in any order', async () => {
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await makeFolder(name)
    await follow()
    let files = 0
    for (let step = 0; step < 120; step++) {
      const folders = (await readFolders()).filter(({ area }) => area === 'drive')
      const items = await app.services.db
        .selectFrom('items')
        .select(['id', 'kind', 'trash_id', 'trashed_at'])
        .where('owner_id', '=', user.id)
        .where('area', '=', 'drive')
        .where('parent_id', 'is not', null)
        .execute()
      const pick = <T>(list: readonly T[]): T | undefined => list[randomInt(0, list.length)]
      const visible = items.filter(({ trash_id }) => trash_id === null)
      const trashed = items.filter(({ trashed_at }) => trashed_at !== null)
      const parent = pick(folders) as ItemRow
      const folderId = parent.parent_id === null ? undefined : parent.id
      const item = visible.length > 0 ? pick(visible)?.id : undefined
      const contents = await readContents()
      const tags = await readTags()
      // Some folders are measured in between, others never.
      const measured = pick(folders) as ItemRow
      await readTreeSizes({ db: app.services.db, user }, [measured])
      const changes: (() => Promise<unknown>)[] = [
        () => user.client.upload(`f${files++ % 5}`, 'x'.repeat(randomInt(0, 50)), { folderId, onConflict: 'replace' }),
        () => user.client.call(createFolder, { folderName: `n${step}`, parentFolderId: folderId }),
        () => user.client.call(copyItems, { itemIds: item ? [item] : [], targetFolderId: folderId ?? null }),
        () =>
          user.client.call(moveItems, {
            itemIds: item ? [item] : [],
            targetFolderId: folderId ?? null,
            onConflict: 'keepBoth',
          }),
        () => user.client.call(trashItems, { itemIds: item ? [item] : [] }),
        () => user.client.call(restoreItems, { itemIds: trashed[0] ? [trashed[0].id] : [] }),
        () => user.client.call(deleteItems, { itemIds: trashed[0] ? [trashed[0].id] : [] }),
        async () => {
          const file = visible.find(({ kind }) => kind === 'file')
          if (!file) return
          const [version] = (await user.client.call(listVersions, { id: file.id })).body.versions
          if (version) await user.client.call(restoreVersion, { id: file.id, versionId: version.id })
        },
      ]
      await pick(changes)?.()
      const contentsAfter = await readContents()
      const tagsAfter = await readTags()
      for (const [id, text] of contents) {
        if (contentsAfter.has(id) && contentsAfter.get(id) !== text && tags.has(id)) {
          expect(tagsAfter.get(id), `step ${step}`).not.toBe(tags.get(id))
        }
      }
      for (const folder of await readFolders()) {
        if (folder.tree_size === null) continue
        expect(folder.tree_size, `step ${step}`).toBe((await measureFolder(app.services.db, folder.id)).size)
      }
    }
  }, 60_000)

  it('cost a few statements per change, however much is moved, and none for users without such clients', async () => {
    const count = async (isFollowed: boolean, files: number) => {
      await switchToNewUser({ planName: '2 TB Annually' })
      if (isFollowed) await follow()
      const [from, to] = [await makeFolder('from'), await makeFolder('to')]
      const names = Array.from({ length: files }, (_, index) => `${index}`)
      const itemIds = await addManyItems(app.services, { ownerId: user.id, folderId: from.id, names })
      return countStatements(() => user.client.call(moveItems, { itemIds, targetFolderId: to.id }))
    }
    const without = await count(false, 10)
    expect(await count(false, 1000)).toBe(without)
    expect(await count(true, 10)).toBe(without + 6)
    expect(await count(true, 1000)).toBe(without + 6)
  })
})

describe('file numbers', () => {
  it('are positive, different and stay, also when requested at once', async () => {
    const itemIds = await addManyItems(app.services, {
      ownerId: user.id,
      names: Array.from({ length: 500 }, (_, i) => `${i}`),
    })
    const { db } = app.services
    const answers = await Promise.all([1, 2, 3].map(() => readFileNumbers(db, itemIds)))
    const [first] = answers
    expect(new Set(first?.values()).size).toBe(500)
    expect(Math.min(...(first?.values() ?? []))).toBeGreaterThan(0)
    for (const answer of answers) expect(answer).toEqual(first)
    expect(await readFileNumbers(db, ['unknown'])).toEqual(new Map())
  })
})

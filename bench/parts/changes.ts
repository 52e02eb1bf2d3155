import { createFolder, getStorage } from '@alcove/contract/files'
import { moveItems, trashItems } from '@alcove/contract/item-calls'
import { searchItems } from '@alcove/contract/search'
import { deleteItems, restoreItems } from '@alcove/contract/trash'
import { addManyItems } from '@alcove/server/testing/many-items'
import { indexNames } from '@alcove/server/testing/many-names'
import { createTestApp } from '@alcove/server/testing/test-app'
import { makeNames } from '../names.ts'
import { onBothDatabases } from '../on-both-databases.ts'
import { type Goal, type Row, valueAtMost } from '../rows.ts'
import { inRounds, type Part, type Stage } from '../stage.ts'

const FILES = 100_000

/** Changes of a hundred thousand items of a folder, each in one call, on each database. */
export const changes: Part = {
  name: 'changes',
  needsCurl: false,
  run: (stage) => onBothDatabases((engine) => measure(stage, engine)),
}

async function measure(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    const { id: ownerId, client } = await app.createUser()
    const [folder, other] = await Promise.all(
      ['many', 'other'].map(async (folderName) => (await client.call(createFolder, { folderName })).body.id),
    )
    const allIn = { folderId: folder as string }
    stage.say(`${engine}: ${FILES.toLocaleString('en-US')} items are made`)
    await addManyItems(app.services, { ownerId, folderId: folder, names: makeNames(FILES) })
    await indexNames(app.services)
    const seconds = new Map<string, number[]>()
    const time = async <Answer extends { status: number; body: unknown }>(
      what: string,
      work: () => Promise<Answer>,
    ) => {
      const startedAt = performance.now()
      const { status, body } = await work()
      if (status >= 300) throw new Error(`${what}: ${JSON.stringify(body).slice(0, 500)}`)
      seconds.set(what, [...(seconds.get(what) ?? []), (performance.now() - startedAt) / 1000])
      return body as Answer['body']
    }
    await inRounds(stage, async () => {
      await time('into another folder', () => client.call(moveItems, { allIn, targetFolderId: other }))
      await client.call(moveItems, { allIn: { folderId: other as string }, targetFolderId: folder })
      const { itemIds } = await time('into the trash', () => client.call(trashItems, { allIn }))
      await time('used bytes right afterwards', () => client.call(getStorage, {}))
      await time('a search for them right afterwards', () => client.call(searchItems, { q: 'img' }))
      await time('out of it again, all named', () => client.call(restoreItems, { itemIds }))
    })
    const { itemIds } = (await client.call(trashItems, { allIn })).body
    await time('deleted for good, all named', () => client.call(deleteItems, { itemIds }))
    const floors: Record<string, Goal> = { 'into the trash': valueAtMost(5) }
    return [...seconds].map(([what, alcove]) => ({
      what: `${engine}: of 100,000 items: ${what}, s`,
      alcove,
      ...(floors[what] && { floor: floors[what] }),
    }))
  } finally {
    await app.close()
  }
}

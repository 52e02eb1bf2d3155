import { addFavorite, listFavorites } from '@alcove/contract/favorites'
import { listItems } from '@alcove/contract/item-calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

it('adds the duration to videos in folder lists and favorites, and to no other items', async () => {
  const user = await app.createUser()
  await user.client.upload('song.mp3', 'x')
  const { id } = await user.client.upload('film.mp4', 'y')
  await user.client.upload('unread.mp4', 'z')
  const { db } = app.services
  for (const name of ['song.mp3', 'film.mp4']) {
    const found = await db.selectFrom('items').select('blob_key').where('name', '=', name).executeTakeFirstOrThrow()
    const metadata = { blob_key: found.blob_key as string, duration: 102.4, read_at: 0 }
    await db.insertInto('media_facts').values(metadata).execute()
  }
  await user.client.call(addFavorite, { itemType: 'file', itemId: id })

  const { items } = (await user.client.call(listItems, {})).body
  const durations = items.map((item) => [item.name, 'duration' in item ? item.duration : undefined])
  expect(durations).toEqual([
    ['film.mp4', 102.4],
    ['song.mp3', undefined],
    ['unread.mp4', undefined],
  ])
  const [favorite] = (await user.client.call(listFavorites, {})).body
  expect(favorite?.item).toMatchObject({ id, duration: 102.4 })
})

import { randomUUID } from 'node:crypto'
import { AUDIO_EXTENSIONS, VIDEO_EXTENSIONS } from '@alcove/contract/file-types'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { app, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'

setUpDrive()

const mediaOf = async (id: string) => {
  const { db } = app.services
  return (await db.selectFrom('items').select('media').where('id', '=', id).executeTakeFirstOrThrow()).media
}

it.each([
  ['audio', AUDIO_EXTENSIONS],
  ['video', VIDEO_EXTENSIONS],
])('sets items.media for all extensions of %s', async (media, extensions) => {
  const ids = await addManyItems(app.services, { ownerId: user.id, names: extensions.map((one) => `a.${one}`) })
  expect(new Set(await Promise.all(ids.map(mediaOf)))).toEqual(new Set([media]))
})

it('updates items.media when the extension or the area of an item changes', async () => {
  const { db } = app.services
  const [song = '', clip = '', text = ''] = await addManyItems(app.services, {
    ownerId: user.id,
    names: ['a.mp3', 'b.mp4', 'c.txt'],
  })
  expect(await Promise.all([song, clip, text].map(mediaOf))).toEqual(['audio', 'video', null])
  const [folder = ''] = await addManyItems(app.services, { ownerId: user.id, names: ['d.mp3'], kind: 'folder' })
  expect(await mediaOf(folder)).toBeNull()

  await db.updateTable('items').set({ extension: 'pdf' }).where('id', '=', song).execute()
  await db.updateTable('items').set({ extension: 'ogg' }).where('id', '=', text).execute()
  expect([await mediaOf(song), await mediaOf(text)]).toEqual([null, 'audio'])

  await db.updateTable('items').set({ area: 'vault' }).where('id', '=', text).execute()
  expect(await mediaOf(text)).toBeNull()
})

it('leaves items.media empty for files in which macOS stores metadata, also after they are renamed', async () => {
  const { db } = app.services
  const [song = '', clip = ''] = await addManyItems(app.services, { ownerId: user.id, names: ['._a.mp3', '._b.mp4'] })
  expect([await mediaOf(song), await mediaOf(clip)]).toEqual([null, null])
  await db.updateTable('items').set({ name: 'a.mp3' }).where('id', '=', song).execute()
  expect(await mediaOf(song)).toBe('audio')
  await db.updateTable('items').set({ name: '._a.mp3' }).where('id', '=', song).execute()
  expect(await mediaOf(song)).toBeNull()
})

// See `setMediaByTrigger` in migrations/001-initial.ts: a generated column makes updates on PostgreSQL 18 much slower.
it.runIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')(
  'does not use a generated column for items.media on PostgreSQL',
  async () => {
    const { rows } = await sql`select attname from pg_attribute
    where attrelid = 'items'::regclass and attgenerated <> ''`.execute(app.services.db)
    expect(rows).toEqual([])
  },
)

it('keeps items.media when a statement sets another value', async () => {
  const [id = ''] = await addManyItems(app.services, { ownerId: user.id, names: [`${randomUUID()}.txt`] })
  const given = sql`update items set media = 'audio' where id = ${id}`.execute(app.services.db)
  // PostgreSQL corrects the value, and SQLite refuses the statement.
  await given.catch(() => undefined)
  expect(await mediaOf(id)).toBeNull()
})

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
])('knows all extensions of %s', async (media, extensions) => {
  const ids = await addManyItems(app.services, { ownerId: user.id, names: extensions.map((one) => `a.${one}`) })
  expect(new Set(await Promise.all(ids.map(mediaOf)))).toEqual(new Set([media]))
})

it('tells music and video from the extension, and follows every change of it', async () => {
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

// See `setMediaByTrigger` in migrations/001-initial.ts: each row of such an update would cost PostgreSQL 18 more than all the rest.
it.runIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')('is no generated column on PostgreSQL', async () => {
  const { rows } = await sql`select attname from pg_attribute
    where attrelid = 'items'::regclass and attgenerated <> ''`.execute(app.services.db)
  expect(rows).toEqual([])
})

it('cannot be given another value', async () => {
  const [id = ''] = await addManyItems(app.services, { ownerId: user.id, names: [`${randomUUID()}.txt`] })
  const given = sql`update items set media = 'audio' where id = ${id}`.execute(app.services.db)
  // PostgreSQL puts it right, SQLite refuses it.
  await given.catch(() => undefined)
  expect(await mediaOf(id)).toBeNull()
})

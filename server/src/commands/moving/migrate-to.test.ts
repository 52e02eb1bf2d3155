import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { createFolder, trashFile } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { placeSharedFolder } from '@alcove/contract/members'
import { deleteFile } from '@alcove/contract/trash'
import { listVersions, restoreVersion } from '@alcove/contract/versions'
import { describe, expect, it } from 'vitest'
import {
  contentOf,
  isOnPostgres,
  keyOf,
  makeDirectory,
  migrate,
  open,
  setUpMoving,
  source,
  store,
  target,
  user,
  writeTarget,
} from '../../testing/factories/moving.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { blobPath } from '../../testing/factories/stored-blob.ts'

setUpMoving()

async function deletePermanently(id: string): Promise<void> {
  await user.client.call(trashFile, { id })
  await user.client.call(deleteFile, { id })
  await source.services.jobs.runDue()
}

const copiedBy = ({ printed }: { printed: string[] }) => Number(/copied now (\d+)/.exec(printed.join())?.[1])

describe('migrate-to', () => {
  it('copies blobs while the server runs, and new blobs and the rows once it is stopped', async () => {
    const large = randomBytes(150_000)
    await store('large.bin', large)
    const deleted = await store('deleted.bin', randomBytes(160_000))
    for (const [index, size] of [0, 500, 140_000].entries()) await store(`${index}.bin`, randomBytes(size))
    const { id: versioned } = await store('1.bin', randomBytes(160_000), { onConflict: 'replace' })

    const first = await migrate()
    expect(first).toMatchObject({
      code: 1,
      errors: expect.arrayContaining([
        'A server or another command is running, so only blobs were copied. Stop it and run this command again.',
      ]),
    })
    expect(copiedBy(first)).toBe(6)

    const later = randomBytes(190_000)
    await store('later.bin', later)
    const deletedKey = await keyOf(deleted.id)
    await deletePermanently(deleted.id)
    await source.stop()
    const rows = join(source.services.config.dataDir, 'alcove.sqlite')
    const before = await readFile(rows)
    const second = await migrate()
    expect(second).toMatchObject({ code: 0 })
    expect(copiedBy(second)).toBe(1)
    expect(second.printed.at(-1)).toBe('No faults found.')
    expect((await readFile(rows)).equals(before)).toBe(true)

    const moved = await open(target)
    expect((await contentOf(moved, 'large.bin')).equals(large)).toBe(true)
    expect((await contentOf(moved, 'later.bin')).equals(later)).toBe(true)
    expect((await moved.as(user.token).call(listItems, {})).body.items).toHaveLength(5)
    const [version] = (await moved.as(user.token).call(listVersions, { id: versioned })).body.versions
    expect(version?.size).toBe(500)
    await moved.as(user.token).call(restoreVersion, { id: versioned, versionId: version?.id as string })
    expect(await contentOf(moved, '1.bin')).toHaveLength(500)
    expect(await moved.services.blobs.sizeOf(deletedKey)).toBeUndefined()
    expect(await moved.services.db.selectFrom('move_marker').selectAll().execute()).toEqual([])
    expect(await moved.as(user.token).upload('new.txt', 'new')).toMatchObject({ filename: 'new.txt' })
    // The source is unchanged.
    const old = await open(source.services.config)
    expect((await contentOf(old, 'large.bin')).equals(large)).toBe(true)
  })

  it('moves a shared folder that a member has placed in their files', async () => {
    const shared = (await user.client.call(createFolder, { folderName: 'Shared' })).body
    const member = await addTestMember(source, user, shared.id, 'editor')
    const placed = await member.client.call(placeSharedFolder, { memberId: member.memberId })
    expect(placed.status).toBe(200)
    await source.stop()
    expect(await migrate()).toMatchObject({ code: 0 })
    const { items } = (await (await open(target)).as(member.token).call(listItems, {})).body
    expect(items).toEqual([expect.objectContaining({ id: placed.body.id, name: 'Shared' })])
  })

  it('moves the secret and the state of the payment sandbox', async () => {
    const { dataDir } = source.services.config
    const sandbox = new DatabaseSync(join(dataDir, 'stripe-sandbox.sqlite'))
    sandbox.exec('create table payments (id text); insert into payments values (1)')
    sandbox.close()
    await source.stop()
    expect(await migrate()).toMatchObject({ code: 0 })
    expect(await readFile(join(target.dataDir, 'secret'), 'utf8')).toBe(await readFile(join(dataDir, 'secret'), 'utf8'))
    const moved = new DatabaseSync(join(target.dataDir, 'stripe-sandbox.sqlite'), { readOnly: true })
    expect(moved.prepare('select id from payments').all()).toEqual([{ id: '1' }])
    moved.close()
    expect((await readdir(target.dataDir)).filter((name) => name.startsWith('moving-'))).toEqual([])
  })

  it('names damaged files, moves all others, and copies the damaged ones once they are repaired', async () => {
    const content = randomBytes(190_000)
    const { id } = await store('damaged.bin', content)
    await store('whole.bin', 'whole')
    const key = await keyOf(id)
    await source.stop()
    await rm(blobPath(source.services.config.dataDir, key))
    const line = `${user.email}: /damaged.bin: its bytes are missing (blob ${key}).`
    const moved = await migrate()
    expect(moved).toMatchObject({ code: 1, printed: expect.arrayContaining([line]) })
    expect(moved.errors.at(-1)).toBe('Moved everything, but found 1 fault, here and at the target.')
    await writeFile(blobPath(source.services.config.dataDir, key), content)
    const again = await migrate()
    expect(again).toMatchObject({ code: 0 })
    expect(again.printed).toContain('Missing or damaged, and copied again: 1.')
    const place = await open(target)
    expect((await contentOf(place, 'damaged.bin')).equals(content)).toBe(true)
    expect(String(await contentOf(place, 'whole.bin'))).toBe('whole')
  })

  it('detects a blob that was damaged at the target and copies it again', async () => {
    const content = randomBytes(190_000)
    const { id } = await store('a.bin', content)
    const key = await keyOf(id)
    await migrate()
    const there = await open(target)
    await there.services.blobs.streamWhole(key, Readable.from([randomBytes(190_000)]), 190_000)
    await there.stop()
    await source.stop()
    const moved = await migrate()
    expect(moved).toMatchObject({ code: 0 })
    expect(copiedBy(moved)).toBe(0)
    expect(moved.printed).toContain('Missing or damaged, and copied again: 1.')
    expect((await contentOf(await open(target), 'a.bin')).equals(content)).toBe(true)
  })

  it.runIf(isOnPostgres)('keeps the data directory if the target file names no other', async () => {
    await store('small.bin', 'small')
    const { dataDir } = source.services.config
    const here = { ...target, dataDir }
    await source.stop()
    expect(await migrate(await writeTarget(here))).toMatchObject({ code: 0 })
    expect((await readdir(dataDir)).filter((name) => name.startsWith('moving-'))).toEqual([])
    expect(String(await contentOf(await open(here), 'small.bin'))).toBe('small')
  })

  it.runIf(isOnPostgres)('moves from PostgreSQL and S3 back to SQLite and a disk', async () => {
    const large = randomBytes(150_000)
    await store('large.bin', large)
    await store('small.bin', 'small')
    await source.stop()
    expect(await migrate()).toMatchObject({ code: 0 })
    const running = await open(target)
    const { config: back } = await makeDirectory()
    const refused = await migrate(await writeTarget(back), target)
    expect(refused.errors.at(-1)).toContain('A server or another command is running')
    await running.stop()
    expect(await migrate(await writeTarget(back), target)).toMatchObject({ code: 0 })
    const place = await open(back)
    expect((await contentOf(place, 'large.bin')).equals(large)).toBe(true)
    expect(String(await contentOf(place, 'small.bin'))).toBe('small')
  })
})

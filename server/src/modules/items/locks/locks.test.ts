import { randomUUID } from 'node:crypto'
import { trashItems } from '@alcove/contract/item-calls'
import { breakItemLocks, listItemLocks } from '@alcove/contract/locks'
import { emptyTrash } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import type { UserContext } from '../../../context.ts'
import { app, makeFolder, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { contextOf } from '../../../testing/factories/locks.ts'
import { acquireLock, MAX_LOCKS, refreshLock, releaseLock, type WantedLock } from './acquire-lock.ts'
import { listLocks } from './find-locks.ts'
import { sweepLocks } from './sweep-locks.ts'

const MINUTE = 60_000
const exclusive: WantedLock = { scope: 'exclusive', depth: '0', owner: 'Ann', timeout: 600 }
const shared: WantedLock = { ...exclusive, scope: 'shared' }
const deep: WantedLock = { ...exclusive, depth: 'infinity' }

let ctx: UserContext
let folder: { id: string }
let file: { id: string }

setUpDrive()
beforeEach(async () => {
  ctx = await contextOf(app, user)
  folder = await makeFolder('Reports')
  file = await user.client.upload('report.docx', 'x', { folderId: folder.id })
})

const acquire = (id: string, wanted: WantedLock) => acquireLock(ctx, id, wanted)
const locked = { code: 'locked' }

async function countRows(): Promise<number> {
  return (await app.services.db.selectFrom('locks').select('token').where('owner_id', '=', user.id).execute()).length
}

async function readLockedUntil(): Promise<number> {
  const row = app.services.db.selectFrom('users').select('locked_until').where('id', '=', user.id)
  return (await row.executeTakeFirstOrThrow()).locked_until
}

describe('acquiring a lock', () => {
  it('describes the lock and who holds it', async () => {
    const lock = await acquire(file.id, { ...exclusive, owner: '<href>mailto:ann@example.com</href>' })
    expect(lock).toEqual({
      token: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      itemId: file.id,
      name: 'report.docx',
      kind: 'file',
      scope: 'exclusive',
      depth: '0',
      owner: '<href>mailto:ann@example.com</href>',
      app: 'LibreOffice on Linux',
      createdAt: app.clock.now(),
      expiresAt: app.clock.now() + 10 * MINUTE,
    })
    expect(await listLocks(ctx, [file.id, folder.id])).toEqual(
      new Map([
        [file.id, [lock]],
        [folder.id, []],
      ]),
    )
  })

  it('refuses a second exclusive lock, and a shared one beside an exclusive one', async () => {
    await acquire(file.id, exclusive)
    await expect(acquire(file.id, exclusive)).rejects.toMatchObject(locked)
    await expect(acquire(file.id, shared)).rejects.toMatchObject(locked)
  })

  it('allows several shared locks, but no exclusive one beside them', async () => {
    await acquire(file.id, shared)
    await acquire(file.id, shared)
    await expect(acquire(file.id, exclusive)).rejects.toMatchObject(locked)
    expect((await listLocks(ctx, [file.id])).get(file.id)).toHaveLength(2)
  })

  it('refuses a lock below a folder that is locked with depth infinity, and allows it below depth 0', async () => {
    const lock = await acquire(folder.id, deep)
    await expect(acquire(file.id, exclusive)).rejects.toMatchObject({
      code: 'locked',
      details: { locks: [{ itemId: folder.id, name: 'Reports', app: 'LibreOffice on Linux' }] },
    })
    await releaseLock(ctx, folder.id, lock.token)
    await acquire(folder.id, exclusive)
    await acquire(file.id, exclusive)
  })

  it('refuses depth infinity above a locked file, and allows depth 0 there', async () => {
    await acquire(file.id, exclusive)
    await expect(acquire(folder.id, deep)).rejects.toMatchObject({
      code: 'locked',
      details: { locks: [{ itemId: file.id }] },
    })
    await acquire(folder.id, exclusive)
  })

  it('locks the root of the drive', async () => {
    await acquire(ctx.user.driveRootId, deep)
    await expect(acquire(file.id, exclusive)).rejects.toMatchObject({
      message: 'The folder "All files" is locked by LibreOffice on Linux. Unlock it, then try again.',
    })
  })

  it('lets one of many concurrent requests win', async () => {
    const wanted = [file.id, folder.id, file.id, folder.id, ctx.user.driveRootId, file.id]
    const outcomes = await Promise.allSettled(wanted.map((id) => acquire(id, deep)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countRows()).toBe(1)
  })

  it('limits the timeout to one hour, and uses ten minutes by default', async () => {
    const minutesOf = async (timeout: number | undefined) => {
      const { expiresAt } = await acquire(file.id, { ...shared, timeout })
      return (expiresAt - app.clock.now()) / MINUTE
    }
    expect(await minutesOf(Number.POSITIVE_INFINITY)).toBe(60)
    expect(await minutesOf(4_294_967_295)).toBe(60)
    expect(await minutesOf(undefined)).toBe(10)
    expect(await minutesOf(Number.NaN)).toBe(10)
    expect(await minutesOf(-5)).toBe(1 / 60)
  })

  it('limits the number of locks, of which expired ones are none', async () => {
    const rows = Array.from({ length: MAX_LOCKS }, () => ({
      ...{ token: randomUUID(), item_id: file.id, owner_id: user.id, scope: 'shared' as const, depth: '0' as const },
      ...{ holder: '', app: '', session_id: '', created_at: 0, expires_at: app.clock.now() + MINUTE },
    }))
    await app.services.db.insertInto('locks').values(rows).execute()
    await app.services.db
      .updateTable('users')
      .set({ locked_until: app.clock.now() + MINUTE })
      .where('id', '=', user.id)
      .execute()
    await expect(acquire(folder.id, exclusive)).rejects.toMatchObject({ code: 'too_many_requests' })
    app.clock.advance(MINUTE)
    await acquire(folder.id, exclusive)
    expect(await countRows()).toBe(1)
  })

  it('refuses a long text about the owner', async () => {
    expect(() => acquire(file.id, { ...exclusive, owner: 'x'.repeat(5000) })).toThrow('at most 4096 characters')
  })

  it("finds neither another user's item nor one in the trash", async () => {
    const stranger = await contextOf(app, await app.createUser())
    await expect(acquireLock(stranger, file.id, exclusive)).rejects.toMatchObject({ code: 'not_found' })
    await user.client.call(trashItems, { itemIds: [file.id] })
    await expect(acquire(file.id, exclusive)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('an app password of one folder', () => {
  const bound = (): UserContext => {
    const appPassword = { id: randomUUID(), scope: 'write' as const, folderId: folder.id }
    return { ...ctx, user: { ...ctx.user, driveRootId: folder.id, appPassword } }
  }

  it('locks that folder and what it contains, and nothing else', async () => {
    const outside = await makeFolder('outside')
    await acquireLock(bound(), folder.id, exclusive)
    await acquireLock(bound(), file.id, exclusive)
    await expect(acquireLock(bound(), outside.id, exclusive)).rejects.toMatchObject({ code: 'not_found' })
    await expect(acquireLock(bound(), ctx.user.driveRootId, exclusive)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('does not learn the name of a locked folder above', async () => {
    const inner = await makeFolder('inner', folder.id)
    await acquire(folder.id, deep)
    const below = bound()
    const appPassword = { id: randomUUID(), scope: 'write' as const, folderId: inner.id }
    const user = { ...below.user, driveRootId: inner.id, appPassword }
    const [lock] = (await listLocks({ ...below, user }, [inner.id])).get(inner.id) ?? []
    expect(lock).toMatchObject({ name: 'another folder', app: 'LibreOffice on Linux' })
    expect((await listLocks(bound(), [file.id])).get(file.id)).toMatchObject([{ name: 'Reports' }])
  })
})

describe('the end of a lock', () => {
  it('comes when its time is over, unless it is refreshed', async () => {
    const { token } = await acquire(file.id, exclusive)
    app.clock.advance(9 * MINUTE)
    expect(await refreshLock(ctx, file.id, token, 600)).toMatchObject({ expiresAt: app.clock.now() + 10 * MINUTE })
    app.clock.advance(9 * MINUTE)
    await expect(acquire(file.id, exclusive)).rejects.toMatchObject(locked)
    app.clock.advance(MINUTE)
    await expect(refreshLock(ctx, file.id, token, 600)).rejects.toMatchObject({ code: 'state_conflict' })
    await acquire(file.id, exclusive)
  })

  it('comes when it is released, also through an item that inherits it', async () => {
    const { token } = await acquire(folder.id, deep)
    expect(await refreshLock(ctx, file.id, token, 600)).toMatchObject({ token, itemId: folder.id })
    await releaseLock(ctx, file.id, token)
    expect(await readLockedUntil()).toBe(0)
    await expect(releaseLock(ctx, file.id, token)).rejects.toMatchObject({ code: 'state_conflict' })
    await acquire(file.id, exclusive)
  })

  it('needs the token of a lock that covers the item', async () => {
    const other = await user.client.upload('other.docx', 'x', { folderId: folder.id })
    const { token } = await acquire(other.id, exclusive)
    await acquire(file.id, exclusive)
    await expect(releaseLock(ctx, file.id, token)).rejects.toMatchObject({ code: 'state_conflict' })
    await expect(refreshLock(ctx, folder.id, token, 60)).rejects.toMatchObject({ code: 'state_conflict' })
    expect(await countRows()).toBe(2)
  })

  it('removes its row, at the latest when the job runs', async () => {
    await acquire(file.id, exclusive)
    await sweepLocks(app.services)
    expect(await countRows()).toBe(1)
    app.clock.advance(10 * MINUTE)
    await sweepLocks(app.services)
    expect(await countRows()).toBe(0)
  })

  it('comes when the item is deleted for good', async () => {
    const { token } = await acquire(file.id, exclusive)
    await user.client.call(trashItems, { itemIds: [file.id] })
    await releaseLock(ctx, file.id, token)
    await user.client.call(trashItems, { itemIds: [file.id] })
    expect((await user.client.call(emptyTrash, {})).status).toBe(200)
  })
})

describe('the calls of locks', () => {
  it("list a file's locks without their tokens, and break them", async () => {
    await acquire(file.id, exclusive)
    await acquire(folder.id, exclusive)
    const { status, body } = await user.client.call(listItemLocks, { id: file.id })
    expect({ status, ...body }).toEqual({
      status: 200,
      locks: [
        {
          itemId: file.id,
          name: 'report.docx',
          type: 'file',
          scope: 'exclusive',
          app: 'LibreOffice on Linux',
          createdAt: new Date(app.clock.now()).toISOString(),
          expiresAt: new Date(app.clock.now() + 10 * MINUTE).toISOString(),
        },
      ],
    })
    const unlock = async () => (await user.client.call(breakItemLocks, { id: file.id })).body
    expect(await unlock()).toEqual({ message: 'Unlocked.', count: 1 })
    expect(await unlock()).toEqual({ message: 'Not locked.', count: 0 })
    expect((await user.client.call(listItemLocks, { id: file.id })).body.locks).toEqual([])
    expect(await countRows()).toBe(1)
  })

  it('name an inherited lock by its folder, where it can be broken', async () => {
    await acquire(ctx.user.driveRootId, deep)
    const [lock] = (await user.client.call(listItemLocks, { id: file.id })).body.locks
    expect(lock).toMatchObject({ itemId: ctx.user.driveRootId, name: 'All files', type: 'folder' })
    expect((await user.client.call(breakItemLocks, { id: file.id })).body.count).toBe(0)
    expect((await user.client.call(breakItemLocks, { id: ctx.user.driveRootId })).body.count).toBe(1)
  })
})

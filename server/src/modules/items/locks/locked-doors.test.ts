import { randomUUID } from 'node:crypto'
import type { ErrorBody } from '@alcove/contract/errors'
import { favoriteItems } from '@alcove/contract/favorites'
import {
  createFolder,
  moveFile,
  moveFolder,
  renameFile,
  renameFolder,
  trashFile,
  trashFolder,
} from '@alcove/contract/files'
import { copyItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { breakItemLocks } from '@alcove/contract/locks'
import { restoreFile, restoreItems } from '@alcove/contract/trash'
import { createFolderPaths } from '@alcove/contract/uploads'
import { listVersions, restoreVersion } from '@alcove/contract/versions'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { UserContext } from '../../../context.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { countStatements } from '../../../testing/engines/item-scans.ts'
import { untilLockWait } from '../../../testing/engines/lock-waits.ts'
import { app, download, listIn, makeFolder, namesIn, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { contextOf } from '../../../testing/factories/locks.ts'
import { moveInto } from '../bulk/move-items.ts'
import { hideInTrash } from '../bulk/trash.ts'
import { changeTree } from '../change-tree.ts'
import { renameItem } from '../insert-item.ts'
import { getOwnItem } from '../own-item.ts'
import { acquireLock } from './acquire-lock.ts'
import { listLocks } from './find-locks.ts'

interface Response {
  status: number
  body: Partial<ErrorBody>
}

let ctx: UserContext
let folder: { id: string }
let sub: { id: string }
let target: { id: string }
let file: { id: string }
let loose: { id: string }
let trashed: { id: string }
let version: string

setUpDrive()
beforeEach(async () => {
  ctx = await contextOf(app, user)
  folder = await makeFolder('Reports')
  sub = await makeFolder('sub', folder.id)
  target = await makeFolder('target')
  file = await user.client.upload('report.docx', 'first', { folderId: folder.id })
  await replace('second')
  version = (await user.client.call(listVersions, { id: file.id })).body.versions[0]?.id as string
  loose = await user.client.upload('loose.txt', 'x')
  trashed = await user.client.upload('trashed.txt', 'x', { folderId: folder.id })
  await user.client.call(trashFile, { id: trashed.id })
})

const lock = (id: string, depth: '0' | 'infinity' = '0', scope: 'exclusive' | 'shared' = 'exclusive') =>
  acquireLock(ctx, id, { scope, depth, owner: '' })

function sendWhole(filename: string, bytes: string, fields: Record<string, string> = {}) {
  const upload = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true }
  return user.client.sendChunk({ ...upload, folderId: folder.id, ...fields }, bytes)
}

const replace = (bytes: string) => sendWhole('report.docx', bytes, { onConflict: 'replace' })

async function sendInChunks(filename: string, fields: Record<string, string> = {}) {
  const upload = { uploadId: randomUUID(), filename, totalChunks: 2, folderId: folder.id, ...fields }
  const first = await user.client.sendChunk({ ...upload, chunkIndex: 0 }, 'x')
  return first.status === 200 ? user.client.sendChunk({ ...upload, chunkIndex: 1, complete: true }, 'y') : first
}

async function sendTogether(filename: string, fields: Record<string, string> = {}): Promise<Response> {
  const description = { uploadId: randomUUID(), filename, size: 1, folderId: folder.id, ...fields }
  const [result] = (await user.client.sendFiles([description], 'z')).body.results ?? []
  return { status: result?.status as number, body: result?.refusal ?? {} }
}

/** Changes of a file's bytes. */
const replacements: Record<string, () => Promise<Response>> = {
  'replacing it': () => replace('third'),
  'replacing it in chunks': () => sendInChunks('report.docx', { onConflict: 'replace' }),
  'replacing it together with other files': () => sendTogether('report.docx', { onConflict: 'replace' }),
  'restoring a version': () => user.client.call(restoreVersion, { id: file.id, versionId: version }),
}

/** Changes of a file's place. */
const departures: Record<string, () => Promise<Response>> = {
  'renaming it': () => user.client.call(renameFile, { oldFilename: 'report.docx', newName: 'x', folderId: folder.id }),
  'moving it': () => user.client.call(moveFile, { fileId: file.id, targetFolderId: target.id }),
  'moving it with others': () =>
    user.client.call(moveItems, { itemIds: [file.id, loose.id], targetFolderId: target.id }),
  'trashing it': () => user.client.call(trashFile, { id: file.id }),
  'trashing it with others': () => user.client.call(trashItems, { itemIds: [loose.id, file.id] }),
}

/** Changes of the folder that contains the file. */
const folderChanges: Record<string, () => Promise<Response>> = {
  'renaming the folder': () => user.client.call(renameFolder, { id: folder.id, newName: 'x' }),
  'moving the folder': () => user.client.call(moveFolder, { folderId: folder.id, targetFolderId: target.id }),
  'trashing the folder': () => user.client.call(trashFolder, { id: folder.id }),
  'trashing everything around it': () => user.client.call(trashItems, { allIn: { folderId: null } }),
}

/** Additions to the folder. */
const additions: Record<string, () => Promise<Response>> = {
  'uploading into the folder': () => sendWhole('new.txt', 'x'),
  'uploading into the folder in chunks': () => sendInChunks('new.txt'),
  'uploading into the folder with other files': () => sendTogether('new.txt'),
  'uploading another file with a taken name': () => sendWhole('report.docx', 'x', { onConflict: 'keepBoth' }),
  'uploading a new folder into the folder': () => sendWhole('new.txt', 'x', { relativePath: 'a/b/new.txt' }),
  'creating a folder in the folder': () =>
    user.client.call(createFolder, { folderName: 'new', parentFolderId: folder.id }),
  'creating empty folders in the folder': () =>
    user.client.call(createFolderPaths, { folderPaths: ['a/b'], parentFolderId: folder.id }),
  'moving something into the folder': () => user.client.call(moveFile, { fileId: loose.id, targetFolderId: folder.id }),
  'moving several items into the folder': () =>
    user.client.call(moveItems, { itemIds: [loose.id, target.id], targetFolderId: folder.id }),
  'copying into the folder': () => user.client.call(copyItems, { itemIds: [loose.id], targetFolderId: folder.id }),
  'restoring something into the folder': () => user.client.call(restoreFile, { id: trashed.id }),
  'restoring several items into the folder': () => user.client.call(restoreItems, { itemIds: [trashed.id] }),
}

/** Changes in a folder of the folder. */
const deepAdditions: Record<string, () => Promise<Response>> = {
  'uploading below the folder': () => sendWhole('new.txt', 'x', { folderId: sub.id }),
  'uploading below the folder by a path': () => sendWhole('new.txt', 'x', { relativePath: 'sub/new.txt' }),
  'creating a folder below the folder': () =>
    user.client.call(createFolder, { folderName: 'new', parentFolderId: sub.id }),
}

async function readDrive() {
  const items = [await listIn(), await listIn(folder.id), await listIn(sub.id), await listIn(target.id)]
  return JSON.stringify([items, (await download('report.docx', folder.id)).toString()])
}

function itIsRefused(changes: Record<string, () => Promise<Response>>, lockIt: () => Promise<{ itemId: string }>) {
  it.each(Object.entries(changes))('prevents %s', async (_name, change) => {
    const before = await readDrive()
    const { itemId } = await lockIt()
    expect(await change()).toMatchObject({
      status: 423,
      body: { code: 'locked', locks: [{ itemId, app: 'LibreOffice on Linux' }] },
    })
    expect(await readDrive()).toBe(before)
    await user.client.call(breakItemLocks, { id: itemId })
    expect((await change()).status).toBeLessThan(300)
  })
}

function itIsAllowed(changes: Record<string, () => Promise<Response>>, lockIt: () => Promise<unknown>) {
  it.each(Object.entries(changes))('allows %s', async (_name, change) => {
    await lockIt()
    expect((await change()).status).toBeLessThan(300)
  })
}

const reading: Record<string, () => Promise<Response>> = {
  'copying it': () => user.client.call(copyItems, { itemIds: [file.id], targetFolderId: target.id }),
  'marking it as a favorite': () => user.client.call(favoriteItems, { itemIds: [file.id] }),
}

describe('a locked file', () => {
  itIsRefused({ ...replacements, ...departures, ...folderChanges }, () => lock(file.id))
  itIsAllowed({ ...reading, ...additions, ...deepAdditions }, () => lock(file.id))

  it('is named by the error, with the app that holds it', async () => {
    await lock(file.id)
    expect((await user.client.call(trashFile, { id: file.id })).body.error).toBe(
      '"report.docx" is being edited in LibreOffice on Linux. Close it there or unlock it.',
    )
    expect((await user.client.call(trashItems, { itemIds: [file.id, loose.id] })).body.failed).toEqual([
      { itemId: file.id, name: 'report.docx', code: 'locked', error: expect.stringContaining('LibreOffice') },
    ])
  })

  it('can be changed when the lock has expired', async () => {
    await lock(file.id)
    app.clock.advance(10 * 60_000)
    expect((await user.client.call(trashFile, { id: file.id })).status).toBe(200)
  })
})

describe('a folder locked with depth 0', () => {
  itIsRefused({ ...additions, ...departures, ...folderChanges }, () => lock(folder.id))
  itIsAllowed({ ...replacements, ...deepAdditions, ...reading }, () => lock(folder.id))
})

describe('a folder locked with depth infinity', () => {
  itIsRefused({ ...replacements, ...additions, ...deepAdditions, ...departures, ...folderChanges }, () =>
    lock(folder.id, 'infinity'),
  )
  itIsAllowed(reading, () => lock(folder.id, 'infinity'))
})

describe('a locked root', () => {
  it('prevents changes of everything below with depth infinity', async () => {
    await lock(ctx.user.driveRootId, 'infinity')
    for (const change of [...Object.values(replacements), ...Object.values(departures)]) {
      expect((await change()).status).toBe(423)
    }
  })
})

describe('a request with the token of the lock', () => {
  const withTokens = (...tokens: string[]) => contextOf(app, user, tokens)
  const trashIt = async (by: UserContext) =>
    changeTree(by, async (tx) => hideInTrash(tx, by.user, [await getOwnItem(tx, by.user, file.id)], by.clock.now()))

  it('may change the item, and needs one token of several shared locks', async () => {
    const locks = [await lock(file.id, '0', 'shared'), await lock(file.id, '0', 'shared')]
    await expect(trashIt(await withTokens(randomUUID()))).rejects.toMatchObject({ code: 'locked' })
    await trashIt(await withTokens(locks[1]?.token as string))
    expect(await listLocks(ctx, [file.id])).toEqual(new Map([[file.id, []]]))
  })

  it('needs the token of the folder too, if that is locked', async () => {
    const own = await lock(file.id)
    const above = await lock(folder.id)
    await expect(trashIt(await withTokens(own.token))).rejects.toMatchObject({
      details: { locks: [{ itemId: folder.id }] },
    })
    await trashIt(await withTokens(own.token, above.token))
  })

  it('releases the locks of what it renames or moves, because locks stay at their place', async () => {
    const own = await lock(file.id)
    const by = await withTokens(own.token)
    await changeTree(by, async (tx) =>
      renameItem(tx, by.user, await getOwnItem(tx, by.user, folder.id), 'renamed', by.clock.now()),
    )
    expect((await listLocks(ctx, [file.id])).get(file.id)).toEqual([])
    const again = await lock(file.id)
    const inTarget = await lock(target.id, 'infinity')
    const { user: mover } = await withTokens(again.token, inTarget.token)
    await changeTree(ctx, async (tx) => {
      const place = { id: target.id, area: 'drive' as const, ancestorIds: [] }
      const { parent_id, ...item } = await getOwnItem(tx, mover, file.id)
      await moveInto(tx, mover, place, [{ ...item, parent_id: parent_id as string }], 'fail', ctx.clock.now())
    })
    expect((await listLocks(ctx, [file.id])).get(file.id)).toMatchObject([{ itemId: target.id }])
  })
})

describe('changes of users without locks', () => {
  it('cost no further statement', async () => {
    const upload = () => countStatements(() => sendWhole(`${randomUUID()}.txt`, 'x', { totalSize: '1' }))
    const before = await upload()
    await lock(loose.id)
    expect(await upload()).toBe(before + 1)
    await user.client.call(breakItemLocks, { id: loose.id })
    expect(await upload()).toBe(before)
  })
})

describe('a change that waits for another server', () => {
  it.runIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')('sees the lock that was acquired meanwhile', async () => {
    const db = openDatabase(app.services.config)
    try {
      let isWaiting: Promise<Response> | undefined
      await changeTree({ ...ctx, db }, async (tx) => {
        // The tree is locked with the first statement.
        await sql`select 1`.execute(tx)
        isWaiting = user.client.call(trashFile, { id: file.id })
        // Until the call waits for the user's row.
        await untilLockWait(app.services.db)
        const now = ctx.clock.now()
        await tx
          .insertInto('locks')
          .values({
            ...{ token: randomUUID(), item_id: file.id, owner_id: user.id, scope: 'exclusive', depth: '0', holder: '' },
            ...{ app: 'Word', session_id: '', created_at: now, expires_at: now + 60_000 },
          })
          .execute()
        await tx
          .updateTable('users')
          .set({ locked_until: now + 60_000 })
          .where('id', '=', user.id)
          .execute()
      })
      expect((await isWaiting)?.status).toBe(423)
    } finally {
      await db.destroy()
    }
    expect(await namesIn(folder.id)).toContain('report.docx')
  })
})

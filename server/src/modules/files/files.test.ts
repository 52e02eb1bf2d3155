import { randomUUID } from 'node:crypto'
import { fetchFile, getUserFile } from '@alcove/contract/bytes'
import { addFavorite } from '@alcove/contract/favorites'
import {
  createFolder,
  getFolder,
  getStorage,
  listFiles,
  listRootFolders,
  moveFile,
  moveFolder,
  renameFile,
  renameFolder,
  trashFile,
  trashFolder,
} from '@alcove/contract/files'
import { MAX_DEPTH } from '@alcove/contract/limits'
import { createPlaylist, deletePlaylist, updatePlaylist } from '@alcove/contract/media'
import { updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

async function makeFolder(folderName: string, parentFolderId?: string, isEncrypted?: boolean) {
  const response = await user.client.call(createFolder, { folderName, parentFolderId, isEncrypted })
  expect(response.status).toBe(201)
  return response.body
}

const names = (items: readonly { name: string }[]) => items.map((item) => item.name)

describe('folders', () => {
  it('creates folders at the root and inside each other and returns their contents', async () => {
    const photos = await makeFolder('Photos')
    expect(photos).toMatchObject({ name: 'Photos', parentId: null, type: 'folder', isFavorite: false })
    const lisbon = await makeFolder('Lisbon', photos.id)
    await user.client.upload('a.jpg', 'x', { folderId: lisbon.id })
    expect((await user.client.call(listRootFolders, {})).body).toEqual([photos])
    const response = await user.client.call(getFolder, { id: lisbon.id })
    expect(response.body).toMatchObject({ id: lisbon.id, name: 'Lisbon', parentId: photos.id })
    expect(response.body.path).toEqual([{ id: photos.id, name: 'Photos' }])
    expect(names(response.body.files)).toEqual(['a.jpg'])
    expect((await user.client.call(getFolder, { id: photos.id })).body.subFolders).toEqual([lisbon])
  })

  it('lists files in natural order of names', async () => {
    for (const name of ['b10.txt', 'b9.txt', 'É.txt', 'a.txt', 'B1.txt', 'f.txt']) await user.client.upload(name, '')
    const { files } = (await user.client.call(listFiles, {})).body
    expect(names(files)).toEqual(['a.txt', 'B1.txt', 'b9.txt', 'b10.txt', 'É.txt', 'f.txt'])
  })

  it('rejects a taken folder name regardless of its Unicode form', async () => {
    await makeFolder('Übung')
    for (const folderName of ['Übung', 'U\u0308bung']) {
      const refused = await user.client.call(createFolder, { folderName })
      expect(refused.status).toBe(409)
      expect(refused.body.message).toBe('A file or folder named "Übung" already exists here.')
      expect(refused.body.error).toBe(refused.body.message)
    }
    await user.client.upload('file', 'x')
    expect((await user.client.call(createFolder, { folderName: 'file' })).status).toBe(409)
  })

  it('creates only one folder when eight requests use the same name at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => user.client.call(createFolder, { folderName: 'One' })),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })

  it.each([
    ['', 'Folder name cannot be empty.'],
    ['   ', 'Folder name cannot be empty.'],
    [' \u3000\t', 'Folder name cannot be empty.'],
    [undefined, 'Folder name cannot be empty.'],
    [7, 'Folder name cannot be empty.'],
    ['..', 'A name cannot be "." or "..".'],
    ['.. ', 'A name cannot be "." or "..".'],
    ['a/b', 'A name cannot contain "/".'],
    ['a\nb', 'A name cannot contain control characters.'],
    ['\ud800', 'A name cannot contain control characters.'],
    ['ä'.repeat(128), 'A name can have at most 255 bytes; this one is longer.'],
  ])('rejects the folder name %j', async (folderName, message) => {
    const refused = await user.client.raw(createFolder, { folderName })
    expect(refused).toMatchObject({ status: 400, body: { code: 'malformed', error: message, message } })
  })

  it('stores quotes, markup and right-to-left folder names unchanged', async () => {
    for (const name of ['<img src=x onerror=alert(1)>', `it's "fine"`, 'שלום\u202eexe', '%2e%2e', '🏔️ Alps']) {
      expect((await makeFolder(name)).name).toBe(name)
    }
  })

  it('rejects a folder nested deeper than MAX_DEPTH', async () => {
    let parent: string | undefined
    for (let depth = 0; depth < MAX_DEPTH; depth++) parent = (await makeFolder('d', parent)).id
    expect((await user.client.call(createFolder, { folderName: 'd', parentFolderId: parent })).status).toBe(400)
  })
})

describe('renaming files and folders', () => {
  it('renames a file and keeps its id, size and content', async () => {
    const file = await user.client.upload('old name.txt', 'text')
    app.clock.advance(1000)
    const renamed = await user.client.call(renameFile, { oldFilename: 'old name.txt', newName: 'nëw 100%.md' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toMatchObject({ id: file.id, name: 'nëw 100%.md', mimeType: 'text/markdown', size: 4 })
    expect((await user.client.raw(fetchFile, { filename: 'nëw 100%.md' })).bytes.toString()).toBe('text')
    expect((await user.client.raw(fetchFile, { filename: 'old name.txt' })).status).toBe(404)
  })

  it('renames a file with a 254-byte name, which is longer when URL-encoded', async () => {
    const name = 'ä'.repeat(127)
    await user.client.upload(name, 'x')
    expect((await user.client.call(renameFile, { oldFilename: name, newName: 'short' })).status).toBe(200)
  })

  it('allows a case-only change and rejects a taken or blank file name', async () => {
    await user.client.upload('a.txt', 'x')
    await makeFolder('b')
    expect((await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'A.TXT' })).body.name).toBe('A.TXT')
    const refused = await user.client.call(renameFile, { oldFilename: 'A.TXT', newName: 'b' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    const blank = await user.client.call(renameFile, { oldFilename: 'A.TXT', newName: ' ' })
    expect(blank).toMatchObject({ status: 400, body: { error: 'File name cannot be empty.' } })
  })

  it('renames the file in the given folder, or at the root of the drive before the vault', async () => {
    const folder = await makeFolder('f')
    const inDrive = await user.client.upload('a', 'drive')
    const inVault = await user.client.upload('a', 'vault', { isEncrypted: true })
    const inFolder = await user.client.upload('a', 'folder', { folderId: folder.id })
    const rename = async (fields: object) =>
      (await user.client.raw(renameFile, { oldFilename: 'a', newName: 'b', ...fields })).body.id
    expect(await rename({ folderId: folder.id })).toBe(inFolder.id)
    expect(await rename({})).toBe(inDrive.id)
    expect(await rename({})).toBe(inVault.id)
  })

  it('renames the file with an id, although another one has its old name by now', async () => {
    const meant = await user.client.upload('report.txt', 'meant')
    await user.client.call(renameFile, { oldFilename: 'report.txt', newName: 'report old.txt' })
    await user.client.upload('report.txt', 'another')
    const input = { oldFilename: 'report.txt', newName: 'report 2026.txt', fileId: meant.id }
    expect((await user.client.call(renameFile, input)).body).toMatchObject({ id: meant.id, name: 'report 2026.txt' })
    await user.client.call(trashFile, { id: meant.id })
    expect((await user.client.call(renameFile, { ...input, newName: 'x' })).status).toBe(404)
    expect((await user.client.raw(fetchFile, { filename: 'report.txt' })).bytes.toString()).toBe('another')
  })

  it('renames a folder exactly as given and rejects a taken or blank name', async () => {
    const folder = await makeFolder('a')
    await makeFolder('b')
    expect((await user.client.call(renameFolder, { id: folder.id, newName: ' c ' })).body).toMatchObject({
      name: ' c ',
    })
    expect((await user.client.call(renameFolder, { id: folder.id, newName: 'b' })).status).toBe(409)
    const blank = await user.client.call(renameFolder, { id: folder.id, newName: '' })
    expect(blank).toMatchObject({ status: 400, body: { error: 'Folder name cannot be empty.' } })
  })
})

describe('moving files and folders', () => {
  it('moves a file into a folder and back to the root and accepts a repeated move', async () => {
    const folder = await makeFolder('f')
    const file = await user.client.upload('a', 'x')
    const moved = await user.client.call(moveFile, { fileId: file.id, targetFolderId: folder.id })
    expect(moved.body).toMatchObject({ id: file.id, folder_id: folder.id })
    // Repeating the move isn't an error: a client that missed the response retries.
    expect((await user.client.call(moveFile, { fileId: file.id, targetFolderId: folder.id })).status).toBe(200)
    expect((await user.client.call(moveFile, { fileId: file.id, targetFolderId: null })).body.folder_id).toBeNull()
  })

  it('moves a folder together with its contents', async () => {
    const [a, b] = [await makeFolder('a'), await makeFolder('b')]
    const inside = await user.client.upload('x', 'x', { folderId: b.id })
    expect((await user.client.call(moveFolder, { folderId: b.id, targetFolderId: a.id })).body.parentId).toBe(a.id)
    expect((await user.client.call(getFolder, { id: b.id })).body.files[0]?.id).toBe(inside.id)
  })

  it('rejects a move to a taken name, into the folder itself or below it, or to the vault', async () => {
    const a = await makeFolder('a')
    const b = await makeFolder('b', a.id)
    const vault = await makeFolder('v', undefined, true)
    const file = await user.client.upload('b', 'x')
    expect(await user.client.call(moveFile, { fileId: file.id, targetFolderId: a.id })).toMatchObject({
      status: 409,
      body: { code: 'name_taken', error: 'A file or folder named "b" already exists here.' },
    })
    for (const targetFolderId of [a.id, b.id]) {
      expect((await user.client.call(moveFolder, { folderId: a.id, targetFolderId })).status).toBe(409)
    }
    expect((await user.client.call(moveFile, { fileId: file.id, targetFolderId: vault.id })).status).toBe(409)
    expect((await user.client.call(moveFolder, { folderId: a.id, targetFolderId: file.id })).status).toBe(404)
    expect((await user.client.raw(moveFile, { fileId: 'x', targetFolderId: a.id })).status).toBe(400)
    expect((await user.client.raw(moveFile, { targetFolderId: a.id })).status).toBe(400)
  })

  it('creates no cycle when two folders are moved into each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await makeFolder(`a${round}`), await makeFolder(`b${round}`)]
      const responses = await Promise.all([
        user.client.call(moveFolder, { folderId: a.id, targetFolderId: b.id }),
        user.client.call(moveFolder, { folderId: b.id, targetFolderId: a.id }),
      ])
      expect(responses.map((response) => response.status).sort()).toEqual([200, 409])
    }
  })
})

describe('trashing files and folders', () => {
  it('hides a trashed file and frees its name but still counts its bytes as used', async () => {
    const file = await user.client.upload('a', 'x')
    expect(await user.client.call(trashFile, { id: file.id })).toMatchObject({
      status: 200,
      body: { message: 'File deleted successfully.' },
    })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
    expect((await user.client.raw(fetchFile, { filename: 'a' })).status).toBe(404)
    expect((await user.client.call(trashFile, { id: file.id })).status).toBe(404)
    expect((await user.client.call(getStorage, {})).body.used_bytes).toBe(1)
    expect(await user.client.upload('a', 'y')).toMatchObject({ name: 'a' })
  })

  it('hides a trashed folder with everything in it', async () => {
    const a = await makeFolder('a')
    const b = await makeFolder('b', a.id)
    const file = await user.client.upload('f', 'x', { folderId: b.id })
    expect((await user.client.call(trashFolder, { id: a.id })).status).toBe(200)
    for (const id of [a.id, b.id]) expect((await user.client.call(getFolder, { id })).status).toBe(404)
    expect((await user.client.call(moveFile, { fileId: file.id, targetFolderId: null })).status).toBe(404)
    expect((await user.client.call(createFolder, { folderName: 'c', parentFolderId: b.id })).status).toBe(404)
    expect((await user.client.raw(fetchFile, { filename: 'f', folderId: b.id })).status).toBe(404)
  })

  it('leaves no visible items in a folder that is trashed while others are created in it', async () => {
    const a = await makeFolder('a')
    await Promise.all([
      user.client.call(trashFolder, { id: a.id }),
      ...Array.from({ length: 6 }, (_, index) =>
        user.client.call(createFolder, { folderName: `${index}`, parentFolderId: a.id }),
      ),
    ])
    const visible = await app.services.db
      .selectFrom('items')
      .select('id')
      .where('parent_id', '=', a.id)
      .where('trash_id', 'is', null)
      .execute()
    expect(visible).toEqual([])
  })
})

describe("other users' items and root folders", () => {
  it("returns 404 for another user's files and folders in every call", async () => {
    const folder = await makeFolder('mine')
    const file = await user.client.upload('mine.txt', 'x', { folderId: folder.id })
    const stranger = (await app.createUser()).client
    const theirs = (await stranger.call(createFolder, { folderName: 'theirs' })).body
    const responses = await Promise.all([
      stranger.call(getFolder, { id: folder.id }),
      stranger.call(listFiles, { folderId: folder.id }),
      stranger.raw(fetchFile, { filename: 'mine.txt', folderId: folder.id }),
      stranger.raw(getUserFile, { filename: 'mine.txt', folderId: folder.id }),
      stranger.call(createFolder, { folderName: 'x', parentFolderId: folder.id }),
      stranger.call(renameFolder, { id: folder.id, newName: 'x' }),
      stranger.call(renameFile, { oldFilename: 'mine.txt', newName: 'x', folderId: folder.id }),
      stranger.call(renameFile, { oldFilename: 'mine.txt', newName: 'x', fileId: file.id }),
      stranger.call(moveFile, { fileId: file.id, targetFolderId: null }),
      stranger.call(moveFolder, { folderId: folder.id, targetFolderId: null }),
      stranger.call(moveFolder, { folderId: theirs.id, targetFolderId: folder.id }),
      stranger.call(trashFile, { id: file.id }),
      stranger.call(trashFolder, { id: folder.id }),
      stranger.call(getFolder, { id: randomUUID() }),
    ])
    for (const response of responses) expect(response.status).toBe(404)
  })

  it("returns 404 when the user's root folder is renamed, moved or trashed", async () => {
    const { drive_root_id } = await app.services.db
      .selectFrom('users')
      .select('drive_root_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    const other = await makeFolder('a')
    expect((await user.client.call(renameFolder, { id: drive_root_id, newName: 'x' })).status).toBe(404)
    expect((await user.client.call(trashFolder, { id: drive_root_id })).status).toBe(404)
    expect((await user.client.call(moveFolder, { folderId: drive_root_id, targetFolderId: other.id })).status).toBe(404)
  })
})

describe('GET /storage', () => {
  it('includes the bytes in the trash only when requested', async () => {
    const { client } = await app.createUser()
    const outer = (await client.call(createFolder, { folderName: 'outer' })).body
    const first = await client.upload('first', 'xx', { folderId: outer.id })
    await client.upload('second', 'xxxx', { folderId: outer.id })
    await client.upload('kept', 'xxxxxxxx')
    expect((await client.call(getStorage, { include: 'trash' })).body.trashed_bytes).toBe(0)
    // A file that was trashed before its folder counts once.
    await client.call(trashFile, { id: first.id })
    await client.call(trashFolder, { id: outer.id })
    expect((await client.call(getStorage, { include: 'trash' })).body).toMatchObject({
      used_bytes: 14,
      trashed_bytes: 6,
    })
    expect((await client.call(getStorage, {})).body).not.toHaveProperty('trashed_bytes')
  })

  it('returns used, reserved and allocated bytes and the plan', async () => {
    const free = await app.createUser({ allocatedBytes: 3 })
    await free.client.upload('a', 'x')
    expect((await free.client.call(getStorage, {})).body).toEqual({
      used_bytes: 1,
      version_bytes: 0,
      reserved_bytes: 0,
      allocated_bytes: 3,
      usage_percent: 33.33,
      plan_name: 'free',
      unread_notices: 0,
      shared_version: '0',
      plan_id: 0,
      version: expect.any(String),
    })
  })

  it('changes the version after each change that other devices should show', async () => {
    const { client } = await app.createUser({ planName: '2 TB Annually' })
    let version = (await client.call(getStorage, {})).body.version
    const expectChanged = async (what: string, change: () => Promise<unknown>) => {
      await change()
      const next = (await client.call(getStorage, {})).body.version
      expect(next, what).not.toBe(version)
      version = next
    }
    await client.call(listFiles, {})
    expect((await client.call(getStorage, {})).body.version).toBe(version)
    let itemId = ''
    await expectChanged('an upload', async () => {
      itemId = (await client.upload('a.mp3', 'x')).id
    })
    await expectChanged('a rename', () => client.call(renameFile, { oldFilename: 'a.mp3', newName: 'b.mp3' }))
    await expectChanged('a favorite', () => client.call(addFavorite, { itemType: 'file', itemId }))
    await expectChanged('a public link', () => client.call(updatePublicLink, { id: itemId, enabled: true }))
    let id = ''
    await expectChanged('a playlist', async () => {
      id = (await client.call(createPlaylist, { name: 'Songs', track_ids: [itemId] })).body.id
    })
    await expectChanged('renaming the playlist', () => client.call(updatePlaylist, { id, name: 'Music' }))
    await expectChanged('deleting the playlist', () => client.call(deletePlaylist, { id }))
    await expectChanged('trashing a file', () => client.call(trashFile, { id: itemId }))
  })
})

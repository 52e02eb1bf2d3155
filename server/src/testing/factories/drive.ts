import { fetchFile } from '@alcove/contract/bytes'
import { createFolder, getStorage, trashFile, trashFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { deleteFile, listTrash } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Config } from '../../config.ts'
import { createTestApp, type TestApp } from '../engines/test-app.ts'
import type { Factories, TestUser } from './users.ts'

/** The app of a test file, and the user of the running test. Both exist if the file calls `setUpDrive`. */
export let app: TestApp
export let user: TestUser

/** Sets up one app for a test file, and a user with an empty drive for each test. */
export function setUpDrive(settings: Partial<Config> = {}): void {
  beforeAll(async () => {
    app = await createTestApp(settings)
  })
  afterAll(() => app.close())
  beforeEach(() => switchToNewUser({ planName: '2 TB Annually' }))
}

/** Creates another user, who is `user` for the rest of the test. */
export async function switchToNewUser(details: Parameters<Factories['createUser']>[0]): Promise<void> {
  user = await app.createUser(details)
}

export async function makeFolder(folderName: string, parentFolderId?: string, isEncrypted?: boolean) {
  return (await user.client.call(createFolder, { folderName, parentFolderId, isEncrypted })).body
}

/** Lists the items in a folder, or at the root of the drive or the vault. */
export async function listIn(folderId?: string | null, vault?: boolean) {
  return (await user.client.call(listItems, { folderId, vault })).body.items
}

export async function namesIn(folderId?: string | null, vault?: boolean): Promise<string[]> {
  return namesOf(await listIn(folderId, vault))
}

export function namesOf(items: readonly { name: string }[]): string[] {
  return items.map((item) => item.name)
}

export async function download(filename: string, folderId?: string): Promise<Buffer> {
  return (await user.client.raw(fetchFile, { filename, folderId })).bytes
}

export async function readStorage() {
  const { used_bytes, reserved_bytes } = (await user.client.call(getStorage, {})).body
  return { used_bytes, reserved_bytes }
}

export async function usedBytes(): Promise<number> {
  return (await readStorage()).used_bytes
}

export async function trash(id: string, kind: 'file' | 'folder'): Promise<void> {
  expect((await user.client.call(kind === 'file' ? trashFile : trashFolder, { id })).status).toBe(200)
}

/** Deletes a file permanently. The next job removes its bytes. */
export async function trashAndDelete(fileId: string): Promise<void> {
  await trash(fileId, 'file')
  expect((await user.client.call(deleteFile, { id: fileId })).status).toBe(200)
}

export async function uploadTrashed(name: string, content = 'x', fields = {}) {
  const file = await user.client.upload(name, content, fields)
  await trash(file.id, 'file')
  return file
}

/** Returns the names of the files and folders at the top level of the trash. */
export async function trashNames() {
  const { files, folders } = (await user.client.call(listTrash, {})).body
  return { files: namesOf(files), folders: namesOf(folders) }
}

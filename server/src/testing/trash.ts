import { trashFile, trashFolder } from '@alcove/contract/files'
import { deleteFile, listTrash } from '@alcove/contract/trash'
import { expect } from 'vitest'
import { namesOf, user } from './drive.ts'

export async function trash(id: string, kind: 'file' | 'folder'): Promise<void> {
  expect((await user.client.call(kind === 'file' ? trashFile : trashFolder, { id })).status).toBe(200)
}

/** Out of the trash too: its bytes are removed by the next job. */
export async function trashAndDelete(fileId: string): Promise<void> {
  await trash(fileId, 'file')
  expect((await user.client.call(deleteFile, { id: fileId })).status).toBe(200)
}

export async function uploadTrashed(name: string, content = 'x', fields = {}) {
  const file = await user.client.upload(name, content, fields)
  await trash(file.id, 'file')
  return file
}

/** What is in the trash by itself. */
export async function trashNames() {
  const { files, folders } = (await user.client.call(listTrash, {})).body
  return { files: namesOf(files), folders: namesOf(folders) }
}

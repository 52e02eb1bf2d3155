import type { TestApp } from '@alcove/server/testing/engines/test-app'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import { makeNames } from '../names.ts'

/** The number of users and of their files. */
export interface CrowdSize {
  users: number
  filesOfEach: number
  /** Files of the large user. */
  files: number
  filesInFullFolder: number
  filesInOtherFolders: number
  tracks: number
}

/** The fullest folder, which most calls use, another folder, and tracks. */
export interface Drive {
  full: string
  ordinary: string
  tracks: string[]
}

/** Creates users with files, and returns their session tokens. */
export async function addCrowd(app: TestApp, users: number, filesOfEach: number): Promise<string[]> {
  const names = makeNames(filesOfEach)
  const tokens: string[] = []
  for (let made = 0; made < users; made += 1) {
    const { id, token } = await app.createUser()
    await fillFolders(app, id, names, filesOfEach)
    tokens.push(token)
  }
  return tokens
}

/** Fills a drive with one folder of files. */
export async function fillSmall(app: TestApp, ownerId: string, { filesOfEach }: CrowdSize): Promise<Drive> {
  const [full] = (await fillFolders(app, ownerId, makeNames(filesOfEach), filesOfEach)) as [string]
  return { full, ordinary: full, tracks: [] }
}

/** Fills a drive with some hundred folders, one of them much fuller than the others, and one with music. */
export async function fillLarge(app: TestApp, ownerId: string, size: CrowdSize): Promise<Drive> {
  // One name in ten is a film, which would be an unusually large library.
  const names = makeNames(size.files).map((name) => name.replace(/\.mp4$/, '.pdf'))
  const folder = async (name: string, has: string[]) => {
    const [folderId] = (await addManyItems(app.services, { ownerId, kind: 'folder', names: [name] })) as [string]
    return { folderId, ids: await addManyItems(app.services, { ownerId, folderId, names: has }) }
  }
  const tracks = Array.from({ length: size.tracks }, (_, index) => `${index + 1} A song of some length.mp3`)
  const { folderId: full } = await folder('The full one', names.slice(0, size.filesInFullFolder))
  const music = await folder('Music', tracks)
  const rest = names.slice(size.filesInFullFolder)
  const [ordinary] = (await fillFolders(app, ownerId, rest, size.filesInOtherFolders)) as [string]
  return { full, ordinary, tracks: music.ids }
}

/** Stores the single byte of each of a user's files, for calls that read them. */
export async function storeBytes({ services: { db, blobs } }: TestApp, ownerId: string): Promise<void> {
  const files = await db
    .selectFrom('items')
    .select('blob_key')
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'file')
    .where('size', '=', 1)
    .execute()
  await Promise.all(files.map(({ blob_key }) => blobs.writeWhole(blob_key as string, Buffer.from('x'))))
}

async function fillFolders({ services }: TestApp, ownerId: string, names: string[], each: number): Promise<string[]> {
  const folders = Array.from({ length: Math.ceil(names.length / each) }, (_, index) => `Folder ${index + 1}`)
  const ids = await addManyItems(services, { ownerId, kind: 'folder', names: folders })
  for (const [index, folderId] of ids.entries()) {
    await addManyItems(services, { ownerId, folderId, names: names.slice(index * each, (index + 1) * each) })
  }
  return ids
}

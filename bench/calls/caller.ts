import { randomUUID } from 'node:crypto'
import { favoriteItems } from '@alcove/contract/favorites'
import { trashItems } from '@alcove/contract/item-calls'
import { createPlaylist } from '@alcove/contract/media'
import { updatePublicLink } from '@alcove/contract/sharing'
import { type AccountSteps, createAccountSteps } from '@alcove/server/testing/account-steps'
import { addManyItems } from '@alcove/server/testing/many-items'
import { createOwner, type OwnedResources } from '@alcove/server/testing/owned-resources'
import { openTestPayments } from '@alcove/server/testing/payments'
import { drawTestPicture } from '@alcove/server/testing/pictures'
import type { TestApp } from '@alcove/server/testing/test-app'
import type { Drive } from './crowd.ts'
import { createPayers, type Payers } from './payers.ts'

/** How many things lists have that are not of folders: favorites, public links, files of the vault. */
const LISTED = 100
/** How many files one call is about that is about many. */
const TOGETHER = 10
export const LINK_PASSWORD = 'a word between us'

/** A user whose calls are timed, with things that can be used up. Those of a turn are its own. */
export interface Caller extends OwnedResources, Drive {
  picture: string
  /** Of a link with a password. */
  lockedLink: string
  turns: Turn[]
}

export interface Turn {
  number: number
  /** Files of the full folder; the name of the first one. */
  files: string[]
  filename: string
  trashedFiles: string[]
  folder: string
  trashedFolder: string
  session: string
  passkey: string
  playlist: string
  begunUpload: string
  wholeUpload: string
  /** Of a session that can be ended. */
  spareToken: string
  steps: AccountSteps
  payers: Payers
}

/** Makes a user, whose drive `fill` makes, with all that calls ask for. */
export async function createCaller(
  app: TestApp,
  turns: number,
  fill: (ownerId: string) => Promise<Drive>,
): Promise<Caller> {
  const own = await createOwner(app)
  const { user } = own
  const drive = await fill(user.id)
  const picture = await drawTestPicture(640, 480).png().toBuffer()
  const { id: pictureId } = await user.client.upload('picture.png', new Uint8Array(picture), {
    folderId: own.sharedFolder,
  })
  await addListed(app, own, drive)
  const lock = { id: own.fileInFolder, enabled: true, password: LINK_PASSWORD }
  const { link } = (await user.client.call(updatePublicLink, lock)).body
  const lockedLink = link.slice(link.lastIndexOf('/') + 1)
  return { ...own, ...drive, picture: pictureId, lockedLink, turns: await createTurns(app, own, drive, turns) }
}

async function addListed({ services }: TestApp, { user }: OwnedResources, { full }: Drive): Promise<void> {
  const names = numbered(LISTED, 'listed')
  const ids = await addManyItems(services, { ownerId: user.id, folderId: full, names })
  await user.client.call(favoriteItems, { itemIds: ids })
  for (const id of ids) await user.client.call(updatePublicLink, { id, enabled: true })
  for (const name of names) await user.client.upload(name, 'sealed', { isEncrypted: true })
}

async function createTurns(app: TestApp, own: OwnedResources, { full }: Drive, count: number): Promise<Turn[]> {
  const { id: ownerId, client } = own.user
  const add = (names: string[], folderId?: string, kind?: 'folder') =>
    addManyItems(app.services, { ownerId, folderId, kind, names })
  const names = numbered(count * TOGETHER, 'used')
  const files = await add(names, full)
  const trashedFiles = await add(numbered(count * (TOGETHER + 1), 'deleted'), full)
  const folders = await add(numbered(count, 'used folder', ''), undefined, 'folder')
  const trashedFolders = await add(numbered(count, 'deleted folder', ''), undefined, 'folder')
  for (const folderId of [...folders, ...trashedFolders]) await add(numbered(TOGETHER, 'inside'), folderId)
  await client.call(trashItems, { itemIds: [...trashedFiles, ...trashedFolders] })
  const payments = await openTestPayments(app)
  const turns: Turn[] = []
  for (let number = 0; number < count; number += 1) {
    const playlist = { name: `list ${number}`, track_ids: [own.song] }
    turns.push({
      number,
      files: files.slice(number * TOGETHER, (number + 1) * TOGETHER),
      filename: names[number * TOGETHER] as string,
      trashedFiles: trashedFiles.slice(number * (TOGETHER + 1), (number + 1) * (TOGETHER + 1)),
      folder: folders[number] as string,
      trashedFolder: trashedFolders[number] as string,
      ...(await addAccess(app, ownerId)),
      playlist: (await client.call(createPlaylist, playlist)).body.id,
      begunUpload: randomUUID(),
      wholeUpload: randomUUID(),
      spareToken: (await app.createUser()).token,
      steps: await createAccountSteps(app),
      payers: await createPayers(app, payments),
    })
  }
  return turns
}

async function addAccess({ services }: TestApp, userId: string): Promise<{ session: string; passkey: string }> {
  const now = services.clock.now()
  const session = { id: randomUUID(), user_id: userId, created_at: now, expires_at: now + services.config.sessionTtl }
  await services.db.insertInto('sessions').values(session).execute()
  const passkey = {
    ...{ id: randomUUID(), user_id: userId, credential_id: randomUUID(), public_key: '', counter: 0, transports: '[]' },
    ...{ name: 'key', is_synced: 0, created_at: now, last_used_at: null },
  }
  await services.db.insertInto('passkeys').values(passkey).execute()
  return { session: session.id, passkey: passkey.id }
}

function numbered(count: number, what: string, extension = '.txt'): string[] {
  return Array.from({ length: count }, (_, index) => `${what} ${index + 1}${extension}`)
}

import { randomUUID } from 'node:crypto'
import { favoriteItems } from '@alcove/contract/favorites'
import { trashItems } from '@alcove/contract/item-calls'
import { createPlaylist } from '@alcove/contract/media'
import { updatePublicLink } from '@alcove/contract/sharing'
import { type AccountSteps, createAccountSteps } from '@alcove/server/testing/clients/account-steps'
import type { TestApp } from '@alcove/server/testing/engines/test-app'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import { createOwner, type OwnedResources } from '@alcove/server/testing/factories/owned-resources'
import { GOOD_CARD, openTestPayments, type TestPayments } from '@alcove/server/testing/factories/payments'
import { drawTestPicture } from '@alcove/server/testing/factories/pictures'
import type { Drive } from './crowd.ts'

/** The length of lists other than folders: favorites, public links, vault files. */
const LISTED = 100
/** The number of files in a call about several. */
const FILES_PER_CALL = 10
export const LINK_PASSWORD = 'a word between us'

/** A user whose calls are timed. Each turn has its own resources, because some calls use them up. */
export interface Caller extends OwnedResources, Drive {
  picture: string
  /** The token of a link with a password. */
  lockedLink: string
  turns: Turn[]
}

export interface Turn {
  number: number
  /** Files in the full folder. `filename` is the name of the first one. */
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
  /** The token of a session that the turn may end. */
  spareToken: string
  steps: AccountSteps
  payers: Payers
}

/** Creates a user with everything that the calls need. `fill` fills the drive. */
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
  const names = numbered(count * FILES_PER_CALL, 'used')
  const files = await add(names, full)
  const trashedFiles = await add(numbered(count * (FILES_PER_CALL + 1), 'deleted'), full)
  const folders = await add(numbered(count, 'used folder', ''), undefined, 'folder')
  const trashedFolders = await add(numbered(count, 'deleted folder', ''), undefined, 'folder')
  for (const folderId of [...folders, ...trashedFolders]) await add(numbered(FILES_PER_CALL, 'inside'), folderId)
  await client.call(trashItems, { itemIds: [...trashedFiles, ...trashedFolders] })
  const payments = await openTestPayments(app)
  const turns: Turn[] = []
  for (let number = 0; number < count; number += 1) {
    const playlist = { name: `list ${number}`, track_ids: [own.song] }
    turns.push({
      number,
      files: files.slice(number * FILES_PER_CALL, (number + 1) * FILES_PER_CALL),
      filename: names[number * FILES_PER_CALL] as string,
      trashedFiles: trashedFiles.slice(number * (FILES_PER_CALL + 1), (number + 1) * (FILES_PER_CALL + 1)),
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

const BOUGHT = 2

/** The users of a turn's payment calls: one without a plan, and one with a subscription and a second card. */
interface Payers {
  buyer: string
  subscriber: string
  card: string
}

async function createPayers(app: TestApp, payments: TestPayments): Promise<Payers> {
  const subscriber = await app.createUser()
  await payments.buy(subscriber, BOUGHT)
  const card = await payments.newCard(await payments.customerOf(subscriber), GOOD_CARD)
  return { buyer: (await app.createUser()).token, subscriber: subscriber.token, card }
}

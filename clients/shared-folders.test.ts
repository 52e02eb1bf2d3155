import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder, getFolder } from '@alcove/contract/files'
import { acceptInvitation, changeMember, inviteMember, placeSharedFolder, removeMember } from '@alcove/contract/members'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedAccount, serveAccount } from './served-account.ts'
import { SyncClient, syncPrograms } from './sync-client.ts'

/** More than a client sends in one request. */
const LARGE = 25 * 1024 * 1024

describe.each(syncPrograms)('%s with a shared folder among the own files', (program) => {
  let account: ServedAccount
  let owner: TestClient
  let shared: string
  let memberId: string
  let device: SyncClient
  beforeAll(async () => {
    account = await serveAccount()
    const { server, email, client } = account
    owner = (await signUp(server.url, 'owner@example.com', [server.dataDir])).client
    shared = (await owner.call(createFolder, { folderName: 'Trip' })).body.id
    await owner.upload('a.txt', 'first', { folderId: shared })
    memberId = (await owner.call(inviteMember, { id: shared, email, role: 'editor' })).body.id
    await client.call(acceptInvitation, { id: memberId })
    const files = (await client.call(createFolder, { folderName: 'Files' })).body.id
    await client.call(placeSharedFolder, { memberId, targetFolderId: files })
    device = await SyncClient.create(program, account, 'device')
  })
  afterAll(() => account.close())

  const local = (...path: string[]) => join(device.folder, 'Files', 'Trip', ...path)
  const paths = async () => Object.keys(await device.readTree())
  const remoteNames = async (id = shared) => {
    const { subFolders, files } = (await owner.call(getFolder, { id })).body
    return [...subFolders, ...files].map(({ name }) => name)
  }

  it('gets what is in it, and sends what the member adds, renames and deletes', async () => {
    await device.sync()
    expect(await readFile(local('a.txt'), 'utf8')).toBe('first')
    await rename(local('a.txt'), local('b.txt'))
    await mkdir(local('New'))
    await writeFile(local('New', 'small.txt'), 'small')
    await writeFile(local('large.bin'), randomBytes(LARGE))
    await device.sync()
    expect(await remoteNames()).toEqual(['New', 'b.txt', 'large.bin'])
  })

  it('gets what others change at any depth, and asks for nothing else', async () => {
    await device.sync()
    const quiet = await device.sync()
    await owner.upload('deep.txt', 'deep', { folderId: shared, folderPath: 'New/Deeper' })
    await device.sync()
    expect(await readFile(local('New', 'Deeper', 'deep.txt'), 'utf8')).toBe('deep')
    expect(quiet.requests.filter((request) => request.includes('/Trip'))).toEqual([])
  })

  it('sends what is moved there from the own files', async () => {
    await writeFile(join(device.folder, 'own.txt'), 'own')
    await device.sync()
    await rename(join(device.folder, 'own.txt'), local('own.txt'))
    await device.sync()
    expect(await remoteNames()).toContain('own.txt')
  })

  it('restores what a viewer changes', async () => {
    await owner.call(changeMember, { id: shared, memberId, role: 'viewer' })
    await device.sync()
    await writeFile(local('b.txt'), 'changed by a viewer')
    // The client reports the change that it may not send.
    await device.sync().catch(() => {})
    const { files } = (await owner.call(getFolder, { id: shared })).body
    expect(files.find(({ name }) => name === 'b.txt')?.size).toBe('first'.length)
  })

  it('loses the folder when the member is removed', async () => {
    await owner.call(removeMember, { id: shared, memberId })
    // What the viewer has changed is in the way once.
    await device.sync().catch(() => {})
    await device.sync()
    expect((await paths()).filter((path) => path.endsWith('large.bin'))).toEqual([])
    expect(await remoteNames()).toContain('large.bin')
  })
})

import { createFolder } from '@alcove/contract/files'
import { MAX_DISPLAY_NAME_LENGTH } from '@alcove/contract/limits'
import { getProfile, updateProfile } from '@alcove/contract/profile'
import {
  getPublicFolder,
  getPublicItem,
  getPublicLink,
  unlockPublicLink,
  updatePublicLink,
} from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

const currentName = async () => (await user.client.call(getProfile, {})).body.displayName
const setName = (displayName: string) => user.client.call(updateProfile, { displayName })
async function share(id: string, password?: string): Promise<string> {
  await user.client.call(updatePublicLink, { id, enabled: true, password })
  return (await user.client.call(getPublicLink, { id })).body.link.split('/s/')[1] as string
}

describe('the display name', () => {
  it('returns an empty display name before it is set and after it is removed', async () => {
    expect(await currentName()).toBe('')
    expect((await setName('  Mara Oyelaran ')).body).toEqual({ displayName: 'Mara Oyelaran' })
    expect(await currentName()).toBe('Mara Oyelaran')
    expect((await setName('   ')).body).toEqual({ displayName: '' })
    expect(await currentName()).toBe('')
  })

  it('stores the display name in NFC and counts characters instead of code units', async () => {
    expect((await setName('Zoe\u0308')).body.displayName).toBe('Zo\u00eb')
    const longest = '\u{1f98a}'.repeat(MAX_DISPLAY_NAME_LENGTH)
    expect((await setName(longest)).body.displayName).toBe(longest)
    expect(await setName(`${longest}a`)).toMatchObject({
      status: 400,
      body: { error: 'The display name can have at most 80 characters.' },
    })
    expect(await currentName()).toBe(longest)
  })

  it.each([
    ['a control character', 'Ma\u0007ra'],
    ['a line break', 'Mara\nOyelaran'],
    ['a line separator', 'Mara\u2028Oyelaran'],
    ['a right-to-left override', 'Mara\u202egnp.exe'],
    ['a directional isolate', 'Mara\u2066x\u2069'],
    ['only invisible characters', '\u200b\u200b'],
    ['a lone surrogate', 'Mara\ud83e'],
  ])('rejects a display name with %s', async (_what, displayName) => {
    expect((await setName(displayName)).status).toBe(400)
    expect(await currentName()).toBe('')
  })

  it('shows the display name to link visitors for files, folders and subfolders', async () => {
    const folder = (await user.client.call(createFolder, { folderName: 'Photos' })).body
    const inner = (await user.client.call(createFolder, { folderName: 'May', parentFolderId: folder.id })).body
    const file = await user.client.upload('a.txt', 'x', { parentFolderId: folder.id })
    const fileToken = await share(file.id)
    const folderToken = await share(folder.id)
    expect((await app.visitor.call(getPublicItem, { token: fileToken })).body).not.toHaveProperty('sharedBy')
    const name = '<b>Mara</b> "O" & שלום'
    await setName(name)
    expect((await app.visitor.call(getPublicItem, { token: fileToken })).body).toMatchObject({ sharedBy: name })
    const shared = (await app.visitor.call(getPublicItem, { token: folderToken })).body
    expect(shared).toMatchObject({ sharedBy: name })
    // The name appears once in the response, not with every file.
    expect(JSON.stringify(shared).split('sharedBy')).toHaveLength(2)
    const inside = await app.visitor.call(getPublicFolder, { token: folderToken, id: inner.id })
    expect(inside.body).toMatchObject({ sharedBy: name })
    await setName('')
    expect((await app.visitor.call(getPublicItem, { token: fileToken })).body).not.toHaveProperty('sharedBy')
  })

  it('reveals the display name on a password-protected link only after it is unlocked', async () => {
    await setName('Mara Oyelaran')
    const file = await user.client.upload('a.txt', 'x')
    const token = await share(file.id, 'secret')
    const locked = await app.visitor.call(getPublicItem, { token })
    expect(locked.status).toBe(403)
    expect(JSON.stringify(locked.body)).not.toContain('Mara')
    const unlocked = await app.visitor.call(unlockPublicLink, { token, password: 'secret' })
    expect(JSON.stringify(unlocked.body)).not.toContain('Mara')
    const { access } = unlocked.body
    expect((await app.visitor.call(getPublicItem, { token, access })).body).toMatchObject({ sharedBy: 'Mara Oyelaran' })
  })
})

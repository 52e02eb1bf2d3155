import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@alcove/contract/call'
import { createFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { inviteMember, removeMember } from '@alcove/contract/members'
import { type Role, roles, suffices } from '@alcove/contract/roles'
import { uploadChunk } from '@alcove/contract/uploads'
import { listVersions } from '@alcove/contract/versions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallById, callsById } from './testing/clients/calls-by-id.ts'
import type { TestClient } from './testing/clients/client.ts'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'
import { addMember, createOwner, type OwnedResources, readOwnedResources } from './testing/factories/owned-resources.ts'
import type { TestUser } from './testing/factories/users.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** What someone has in a shared folder: a role, an invitation that isn't accepted, or nothing any more. */
const states = [...roles, 'invited', 'removed'] as const
type State = (typeof states)[number]

interface SharedScene {
  member: TestUser
  /** What the owner has, outside the shared folder. */
  outside: OwnedResources
  /** The same, but with what lies in the shared folder wherever something can. */
  inside: OwnedResources
  /** The shared folder itself. */
  shared: string
}

async function createScene(state: State): Promise<SharedScene> {
  const outside = await createOwner(app)
  const { client } = outside.user
  const own = (name: string) => `${outside.user.id}-in-${name}`
  const folderOf = async (name: string, parentFolderId?: string) =>
    (await client.call(createFolder, { folderName: own(name), parentFolderId })).body.id
  const shared = await folderOf('shared')
  const fileOf = async (name: string, folderId = shared) => (await client.upload(own(name), name, { folderId })).id
  const folder = await folderOf('folder', shared)
  const versioned = await fileOf('versioned.txt')
  await client.upload(own('versioned.txt'), 'later', { folderId: shared, onConflict: 'replace' })
  const [version] = (await client.call(listVersions, { id: versioned })).body.versions

  const member = await app.createUser({ planName: '2 TB Annually' })
  const isInvited = state === 'invited'
  const memberId = await addMember(app, outside.user, shared, {
    ...{ email: member.email, userId: isInvited ? null : member.id, role: 'manager' },
  })
  const begin = async (totalChunks: number) => {
    const uploadId = randomUUID()
    const chunk = { uploadId, filename: own('begun'), chunkIndex: 0, totalChunks, folderId: shared }
    expect((await member.client.sendChunk(chunk, 'x')).status).toBe(200)
    return uploadId
  }
  const trash = async (call: typeof trashFile | typeof trashFolder, id: string) => {
    if (!isInvited) expect((await member.client.call(call, { id })).status).toBe(200)
    return id
  }
  const inside: OwnedResources = {
    ...outside,
    ...{ folder, versioned, version: version?.id as string },
    otherFolder: await folderOf('other', shared),
    file: await fileOf('file.txt'),
    fileName: own('file.txt'),
    fileInFolder: await fileOf('inside.txt', folder),
    nameInFolder: own('inside.txt'),
    song: await fileOf('song.mp3'),
    video: await fileOf('video.mp4'),
    halfUpload: isInvited ? outside.halfUpload : await begin(2),
    wholeUpload: isInvited ? outside.wholeUpload : await begin(1),
    uploadName: own('begun'),
    trashedFile: await trash(trashFile, await fileOf('trashed.txt')),
    trashedFolder: await trash(trashFolder, await folderOf('trashed', shared)),
  }
  if (state === 'removed') {
    await client.call(removeMember, { id: shared, memberId })
    // The member's own are discarded, which has a test of its own. Their ids are free.
    Object.assign(inside, { halfUpload: outside.halfUpload, wholeUpload: outside.wholeUpload })
  }
  // Written directly, so that the uploads are there, which lowering a role would discard.
  else if (!isInvited)
    await app.services.db.updateTable('members').set({ role: state }).where('id', '=', memberId).execute()
  return { member, outside, inside, shared }
}

function send(client: TestClient, call: AnyCall, input: Record<string, unknown>) {
  if (call.path === uploadChunk.path) return client.sendChunk(input as Record<string, string>, 'x')
  return client.raw(call, input)
}

const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
/** Calls by name need the folder: without it, they look in the own root. */
const isWithoutPlace = ({ idFields }: CallById) => idFields.length === 1 && idFields[0] === 'filename'
const signedIn = callsById.filter(({ call }) => call.access !== 'public')
const attempts = signedIn.flatMap((callById) =>
  callById.idFields.map((field) => [nameOf(callById.call), field, callById] as const),
)
const isAllowed = (state: State, callById: CallById) =>
  callById.call.forMembers !== undefined &&
  state !== 'invited' &&
  state !== 'removed' &&
  !isWithoutPlace(callById) &&
  suffices(state, callById.call.forMembers) &&
  suffices(state, callById.call.forMembersAtTarget ?? 'viewer')
/** Members learn that the owner can share what lies inside the folder. */
const isInvitation = ({ call }: CallById) => call.path === inviteMember.path && call.method === 'POST'
/** Returns whether what a call names can't lie in a shared folder, such as a file of the vault. */
const isElsewhere = ({ call, input, idFields }: CallById, { inside, outside }: SharedScene) => {
  const isOutside = (field: string) => JSON.stringify(input(inside)[field]) === JSON.stringify(input(outside)[field])
  // What takes shared items together with own ones, such as a playlist, must be the member's own.
  return call.mixesShared ? idFields.some(isOutside) : idFields.every(isOutside)
}

describe.each(states)('someone who is %s in a shared folder', (state) => {
  /** Every refused attempt changes nothing, so all of them can share this. */
  let scene: SharedScene
  let before: string
  beforeAll(async () => {
    scene = await createScene(state)
    before = await readOwnedResources(app, scene.outside.user)
  })
  const isMember = (roles as readonly string[]).includes(state)

  it.each(signedIn.map((callById, index) => [nameOf(callById.call), index, callById] as const))(
    'makes %s (%i) in the folder only if the contract says so for the role',
    async (_name, _index, callById) => {
      const { call, input, strangerStatus } = callById
      const isThere = !isElsewhere(callById, scene)
      if (isThere && isAllowed(state, callById)) {
        // Higher roles include the lower ones, so changes are made once each. What only reads changes nothing either.
        if (call.method !== 'GET' && call.forMembers !== state) return
        const { member, inside } = call.method === 'GET' ? scene : await createScene(state)
        const response = await send(member.client, call, input(inside))
        expect([200, 201, 415], JSON.stringify(response.body)).toContain(response.status)
        return
      }
      const { member, inside, outside } = scene
      const response = await send(member.client, call, input(inside))
      const isKnown =
        isMember && isThere && (isInvitation(callById) || (call.forMembers !== undefined && !isWithoutPlace(callById)))
      expect(response.status, JSON.stringify(response.body)).toBe(isKnown ? 403 : (strangerStatus ?? 404))
      expect(await readOwnedResources(app, outside.user)).toBe(before)
    },
  )

  it.each(attempts)('can’t make %s with the %s of something outside the folder', async (_name, field, callById) => {
    const { call, input, strangerStatus } = callById
    const { member, inside, outside } = scene
    for (const mixed of [{ ...input(inside), [field]: input(outside)[field] }, input(outside)]) {
      const response = await send(member.client, call, mixed)
      const isRefused = call.forMembers !== undefined && !isAllowed(state, callById)
      const isKnown = isMember && (isRefused || isInvitation(callById))
      const expected = strangerStatus ?? 404
      expect(isKnown ? [403, expected] : [expected], JSON.stringify(response.body)).toContain(response.status)
      expect(JSON.stringify(response.body)).not.toContain(outside.user.id)
    }
    expect(await readOwnedResources(app, outside.user)).toBe(before)
  })

  it.each(signedIn.filter(({ call }) => call.forMembers === 'editor').map((by) => [nameOf(by.call), by] as const))(
    'can’t change the shared folder itself by %s',
    async (_name, { call, input }) => {
      const { member, inside, outside, shared } = scene
      const ids = { ...inside, folder: shared, file: shared, otherFolder: shared, versioned: shared }
      Object.assign(ids, { trashedFile: shared, trashedFolder: shared })
      const given = input(ids)
      // These name the folder as the place of a change, or as what is in it.
      if ('allIn' in given || 'oldFilename' in given) return
      expect([403, 404]).toContain((await send(member.client, call, given)).status)
      expect(await readOwnedResources(app, outside.user)).toBe(before)
    },
  )
})

describe('the roles in the contract', () => {
  it('are given only to calls of signed-in users', () => {
    for (const { call } of callsById) if (call.forMembers) expect(call.access).not.toBe('public')
  })

  it('include those before them', () => {
    const allowed = (role: Role) => signedIn.filter((callById) => isAllowed(role, callById)).length
    const counts = roles.map(allowed)
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(counts[0]).toBeGreaterThan(5)
    expect(counts[2]).toBeGreaterThan(counts[1] as number)
  })
})

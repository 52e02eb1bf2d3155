import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, email, folderIdOrRoot, folderName, id, time } from './fields.ts'
import { folder, person } from './items.ts'
import { MAX_LOST_FOLDERS_LISTED, MAX_LOST_PEOPLE_NAMED } from './limits.ts'
import { roles } from './roles.ts'

export const role = z
  .enum(roles)
  .describe(
    '`viewer` reads; `contributor` also adds files and folders; `editor` also changes and trashes; `manager` also invites',
  )

/** Someone with whom a folder is shared. An invitation is a member who hasn't accepted yet. */
export const member = person.extend({
  id,
  role,
  invitedAt: time,
  acceptedAt: time.nullable().describe('null until the invitation is accepted'),
  isYou: z.boolean(),
  groupId: id.nullable().describe('The group of yours by which this person came. null if they came otherwise'),
  offeredAt: time
    .nullable()
    .describe('When the owner offered the folder to this member. null if they didn’t, and for other members'),
})
export type Member = z.infer<typeof member>

/** A group of the user, or of a sign-in provider, with which a folder is shared. */
const folderGroup = z.object({
  id,
  name: z.string(),
  provider: z.string().nullable().describe('The label of the provider. Null for a group of the user'),
  role,
})
export type FolderGroup = z.infer<typeof folderGroup>

const memberOfFolder = z.object({ id: id.describe('The shared folder'), memberId: id })

export const inviteMember = defineCall({
  method: 'POST',
  path: '/folders/{id}/members',
  access: 'user',
  summary: 'Invite someone by email address to a folder, or everyone in a group. They get a mail',
  input: z
    .object({ id, email: email.optional(), groupId: id.optional(), role })
    .refine((input) => (input.email === undefined) !== (input.groupId === undefined), {
      error: 'Send either email or groupId.',
    }),
  output: z.union([member, folderGroup]),
  status: 201,
})

export const listMembers = defineCall({
  method: 'GET',
  path: '/folders/{id}/members',
  access: 'user',
  summary: 'List the owner and the members of a shared folder. Only owner and managers see open invitations',
  input: z.object({ id }),
  output: z.object({
    owner: person,
    yourRole: z.enum(['owner', ...roles]),
    members: z.array(member),
    groups: z
      .array(folderGroup)
      .describe(
        'Your own groups with which the folder is shared, and for its owner those of providers. Their people are members',
      ),
  }),
})

export const getMember = defineCall({
  method: 'GET',
  path: '/folders/{id}/members/{memberId}',
  access: 'user',
  summary: 'Get a member of a shared folder',
  input: memberOfFolder,
  output: member,
})

export const changeMember = defineCall({
  method: 'PUT',
  path: '/folders/{id}/members/{memberId}',
  access: 'user',
  summary: 'Change the role of a member, at once. Below contributor, unfinished uploads of the member are discarded',
  input: memberOfFolder.extend({ role }),
  output: member,
})

export const removeMember = defineCall({
  method: 'DELETE',
  path: '/folders/{id}/members/{memberId}',
  access: 'user',
  summary: 'Remove a member, take back an invitation, or leave the folder. What the member added stays',
  input: memberOfFolder,
  output: done,
})

/** A folder that somebody shares with the user. */
const sharedFolder = z.object({
  id: id.describe('The folder, for the calls that members may make there'),
  memberId: id.describe('The own membership, for leaving'),
  name: z.string(),
  role,
  owner: person,
  itemCount: z.int().nonnegative().describe('Items directly in the folder, counted up to 1001'),
  acceptedAt: time,
  offeredAt: time.nullable().describe('When the owner offered to hand the folder over. null if they didn’t'),
  mount: z
    .object({ id, name: z.string(), parentId: id.nullable().describe('null at the root') })
    .nullable()
    .describe("Where the folder is in the user's own files"),
})
export type SharedFolder = z.infer<typeof sharedFolder>

export const acceptInvitation = defineCall({
  method: 'POST',
  path: '/invitations/{id}/accept',
  access: 'user',
  summary: 'Accept an invitation to a folder. It needs a confirmed email address. Repeating it changes nothing',
  input: z.object({ id }),
  output: sharedFolder,
})

export const declineInvitation = defineCall({
  method: 'POST',
  path: '/invitations/{id}/decline',
  access: 'user',
  summary: 'Decline an invitation to a folder',
  input: z.object({ id }),
  output: done,
})

export const listSharedWithMe = defineCall({
  method: 'GET',
  path: '/shared-with-me',
  access: 'user',
  summary: 'List the folders that others share with you, and open invitations, newest first',
  input: z.object({}),
  output: z.object({
    folders: z.array(sharedFolder),
    invitations: z.array(z.object({ id, folderName: z.string(), role, owner: person, invitedAt: time })),
  }),
})

const folderId = z.object({ id: id.describe('The shared folder') })

/** What changes the owner with a folder: everything in it, with earlier versions and the trash. */
const handOver = z.object({
  items: z.int().nonnegative().describe('Files and folders, including the folder itself and the trash'),
  bytes: z.int().nonnegative().describe('What they take of the owner’s storage, with earlier versions'),
  offeredTo: z
    .object({ memberId: id, email: z.string(), displayName: z.string().nullable(), offeredAt: time })
    .nullable(),
})
export type HandOver = z.infer<typeof handOver>

export const getHandOver = defineCall({
  method: 'GET',
  path: '/folders/{id}/hand-over',
  access: 'user',
  summary:
    'Get how much would change its owner with a folder, and to whom it is offered. For its owner and that member',
  input: folderId,
  output: handOver,
})

export const offerHandOver = defineCall({
  method: 'POST',
  path: '/folders/{id}/hand-over',
  access: 'user',
  summary:
    'Offer a folder to one of its members, who becomes its owner by accepting. Replaces an offer to another member',
  input: folderId.extend({ memberId: id }),
  output: handOver,
})

export const withdrawHandOver = defineCall({
  method: 'DELETE',
  path: '/folders/{id}/hand-over',
  access: 'user',
  summary: 'Take back the offer to hand a folder over. Repeating it changes nothing',
  input: folderId,
  output: done,
})

export const acceptHandOver = defineCall({
  method: 'POST',
  path: '/folders/{id}/hand-over/accept',
  access: 'user',
  summary:
    'Become the owner of a folder that its owner offers. It moves to the own files with everything in it and counts toward ' +
    'the own storage; the former owner stays as a manager. Unfinished uploads to it are discarded. Repeating it changes nothing',
  input: folderId,
  output: done,
})

export const declineHandOver = defineCall({
  method: 'POST',
  path: '/folders/{id}/hand-over/decline',
  access: 'user',
  summary: 'Decline to become the owner of a folder. The membership stays',
  input: folderId,
  output: done,
})

const lostFolder = z.object({
  id,
  name: z.string(),
  memberCount: z.int().positive().describe('The people who have accepted'),
  members: z.array(person).describe(`The first ${MAX_LOST_PEOPLE_NAMED} of them`),
})
export type LostFolder = z.infer<typeof lostFolder>

export const getDeletionPreview = defineCall({
  method: 'GET',
  path: '/account/deletion-preview',
  access: 'user',
  summary:
    'List the shared folders that other people lose if the account is deleted. Handing them over first keeps them',
  input: z.object({}),
  output: z.object({
    sharedFolders: z.array(lostFolder).describe(`Those with the most people first, at most ${MAX_LOST_FOLDERS_LISTED}`),
    total: z.int().nonnegative().describe('How many there are'),
  }),
})

export const placeSharedFolder = defineCall({
  method: 'POST',
  path: '/shared-with-me/{memberId}/place',
  access: 'user',
  summary: 'Place a folder that somebody shares in the own files. Repeating it changes nothing',
  input: z.object({
    memberId: id,
    targetFolderId: folderIdOrRoot.describe('An own folder that is not shared; without it, the root'),
    name: folderName.optional().describe('Without it, the name of the folder, with a number if it is taken'),
  }),
  output: folder,
})

export const unplaceSharedFolder = defineCall({
  method: 'DELETE',
  path: '/shared-with-me/{memberId}/place',
  access: 'user',
  summary: 'Take a shared folder out of the own files. It stays shared',
  input: z.object({ memberId: id }),
  output: done,
})

import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, email, id } from './fields.ts'
import { MAX_GROUP_NAME_LENGTH, MAX_GROUP_PEOPLE, MAX_GROUPS } from './limits.ts'
import { role } from './members.ts'

const name = z
  .string('Enter a name.')
  .trim()
  .min(1, 'Enter a name.')
  .refine((text) => [...text].length <= MAX_GROUP_NAME_LENGTH, {
    error: `The name can have at most ${MAX_GROUP_NAME_LENGTH} characters.`,
  })

const emails = z
  .array(email, 'emails must be a list of addresses.')
  .max(MAX_GROUP_PEOPLE, `A group can have at most ${MAX_GROUP_PEOPLE} people.`)
  .transform((list) => [...new Set(list)])

/** A list of people. It belongs to one user, who alone sees it, or comes from a sign-in provider, and those who are in it see it. */
const group = z.object({
  id,
  name: z.string(),
  provider: z
    .string()
    .nullable()
    .describe('The label of the sign-in provider that says who is in the group. Null for a group of the user'),
  emails: z.array(z.string()).describe('In alphabetical order. Empty for a group of a provider'),
  peopleCount: z.int().nonnegative(),
  folderCount: z
    .int()
    .nonnegative()
    .describe('The folders that are shared with it, by the user if it is of a provider'),
})
export type Group = z.infer<typeof group>

export const listGroups = defineCall({
  method: 'GET',
  path: '/groups',
  access: 'user',
  summary: `List the user's groups of people by name, at most ${MAX_GROUPS}, and the groups of providers that the user is in`,
  input: z.object({}),
  output: z.array(group),
})

export const createGroup = defineCall({
  method: 'POST',
  path: '/groups',
  access: 'user',
  summary: 'Create a group of people, with whom folders can be shared together',
  input: z.object({ name, emails: emails.default([]) }),
  output: group,
  status: 201,
})

export const updateGroup = defineCall({
  method: 'PUT',
  path: '/groups/{id}',
  access: 'user',
  summary:
    'Rename a group, or replace its people. New ones are invited to the folders of the group; those who are left out lose what ' +
    'came by it',
  input: z.object({ id, name: name.optional(), emails: emails.optional() }),
  output: group,
})

export const deleteGroup = defineCall({
  method: 'DELETE',
  path: '/groups/{id}',
  access: 'user',
  summary: 'Delete a group. Its people lose what came by it',
  input: z.object({ id }),
  output: done,
})

const groupOfFolder = z.object({ id: id.describe('The shared folder'), groupId: id })

export const changeFolderGroup = defineCall({
  method: 'PUT',
  path: '/folders/{id}/groups/{groupId}',
  access: 'user',
  summary: 'Change the role of a group in a folder. A role that was given to a person alone stays',
  input: groupOfFolder.extend({ role }),
  output: done,
})

export const removeFolderGroup = defineCall({
  method: 'DELETE',
  path: '/folders/{id}/groups/{groupId}',
  access: 'user',
  summary: 'Stop sharing a folder with a group. Its people lose the folder, unless they have it otherwise',
  input: groupOfFolder,
  output: done,
})

import { acceptInvitation, inviteMember } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import type { TestApp } from '../engines/test-app.ts'
import type { TestUser } from './users.ts'

/** A user with whom a folder is shared. */
export interface TestMember extends TestUser {
  memberId: string
}

/** Creates a user, invites them to a folder, and accepts. */
export async function addTestMember(
  app: Pick<TestApp, 'createUser'>,
  owner: TestUser,
  folderId: string,
  role: Role,
  who?: TestUser,
): Promise<TestMember> {
  const user = who ?? (await app.createUser())
  const invited = await owner.client.call(inviteMember, { id: folderId, email: user.email, role })
  if (invited.status !== 201) throw new Error(JSON.stringify(invited.body))
  const accepted = await user.client.call(acceptInvitation, { id: invited.body.id })
  if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body))
  return { ...user, memberId: invited.body.id }
}

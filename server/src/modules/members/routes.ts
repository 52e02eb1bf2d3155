import type { Endpoint } from '../../platform/http/api.ts'
import { getDeletionPreview } from './deletion-preview.ts'
import { changeFolderGroup, removeFolderGroup } from './groups/folder-groups.ts'
import { createGroup, deleteGroup, listGroups, updateGroup } from './groups/groups.ts'
import { acceptHandOver, declineHandOver } from './hand-over.ts'
import { getHandOver, offerHandOver, withdrawHandOver } from './hand-over-offers.ts'
import { acceptInvitation, declineInvitation } from './invitations.ts'
import { inviteMember } from './invite.ts'
import { changeMember, getMember, listMembers, removeMember } from './manage-members.ts'
import { placeSharedFolder, unplaceSharedFolder } from './place.ts'
import { listSharedWithMe } from './shared-with-me.ts'

/** The calls of this module. */
export const memberEndpoints: readonly Endpoint[] = [
  inviteMember,
  listMembers,
  getMember,
  changeMember,
  removeMember,
  acceptInvitation,
  declineInvitation,
  listSharedWithMe,
  getHandOver,
  offerHandOver,
  withdrawHandOver,
  acceptHandOver,
  declineHandOver,
  getDeletionPreview,
  listGroups,
  createGroup,
  updateGroup,
  deleteGroup,
  changeFolderGroup,
  removeFolderGroup,
  placeSharedFolder,
  unplaceSharedFolder,
]

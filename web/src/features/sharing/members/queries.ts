import type { OutputOf } from '@alcove/contract/call'
import {
  acceptInvitation,
  changeMember,
  declineInvitation,
  inviteMember,
  listMembers,
  type listSharedWithMe,
  type Member,
  placeSharedFolder,
  removeMember,
  type SharedFolder,
  unplaceSharedFolder,
} from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { type QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError, send, sentenceOf } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useUnreadNotices } from '../../../api/unread-notices.ts'
import { useAction } from '../../../api/use-call.ts'
import { sharedWithMeQuery } from '../../../items/shared-with-me.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { nameOfPerson } from './member-texts.ts'

type Members = OutputOf<typeof listMembers>
type SharedWithMe = OutputOf<typeof listSharedWithMe>
export type Invitation = SharedWithMe['invitations'][number]

/** Returns the owner and the members of a folder. */
export function useMembers(folderId: string) {
  return useQuery({
    queryKey: queryKeys.members(folderId),
    queryFn: ({ signal }) => send(listMembers, { id: folderId }, { signal }),
    staleTime: 0,
  })
}

/** Invites someone to a folder. */
export function useInvite(folderId: string) {
  const queryClient = useQueryClient()
  return useAction(async (input: { readonly email: string; readonly role: Role }) => {
    // The response to an address is a member, and that to a group isn't.
    const invited = (await send(inviteMember, { id: folderId, ...input })) as Member
    await changeMembers(queryClient, folderId, (members) => [...members.filter(({ id }) => id !== invited.id), invited])
    return invited
  })
}

/** Changes the role of a member at once, and back if that fails. Several changes are sent one after the other. */
export function useChangeRole(folderId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    scope: { id: `roles ${folderId}` },
    mutationFn: ({ member, role }: { readonly member: Member; readonly role: Role }) =>
      send(changeMember, { id: folderId, memberId: member.id, role }),
    onMutate: ({ member, role }) =>
      changeMembers(queryClient, folderId, (members) =>
        // The role is now the person's own, whatever their group says.
        members.map((one) => (one.id === member.id ? { ...one, role, groupId: null } : one)),
      ),
    async onError(error) {
      notifyError(sentenceOf(error) ?? 'Couldn’t change the role. Check your connection, then try again.')
      await queryClient.invalidateQueries({ queryKey: queryKeys.members(folderId) })
    },
  })
}

/** Removes a member, or takes back an invitation. */
export function useRemoveMember(folderId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (member: Member) => unlessGone(send(removeMember, { id: folderId, memberId: member.id })),
    async onSuccess(_done, member) {
      await changeMembers(queryClient, folderId, (members) => members.filter(({ id }) => id !== member.id))
      notifySuccess(`${nameOfPerson(member)} was removed.`)
    },
    async onError(error) {
      notifyError(sentenceOf(error) ?? 'Couldn’t remove this person. Check your connection, then try again.')
      await queryClient.invalidateQueries({ queryKey: queryKeys.members(folderId) })
    },
  })
}

/** Returns what is shared with the user. Others change it, so it is fetched whenever it is shown and after each new notice. */
export function useSharedWithMe() {
  const query = useQuery({ ...sharedWithMeQuery, staleTime: 0 })
  const { refetch } = query
  const unread = useUnreadNotices()
  const before = useRef(unread)
  useEffect(() => {
    // Invitations and offers to become the owner come with a notice. They change no version.
    if (unread > before.current) void refetch({ cancelRefetch: false })
    before.current = unread
  }, [unread, refetch])
  return query
}

/** Accepts or declines an invitation. */
export function useRespond(invitation: Invitation) {
  const queryClient = useQueryClient()
  const { id } = invitation
  return useAction(async (accepts: boolean) => {
    try {
      const accepted = accepts ? await send(acceptInvitation, { id }) : undefined
      if (!accepts) await unlessGone(send(declineInvitation, { id }))
      await changeShared(queryClient, ({ folders, invitations }) => ({
        invitations: invitations.filter((one) => one.id !== id),
        folders: accepted ? [accepted, ...folders.filter((one) => one.memberId !== id)] : folders,
      }))
    } catch (error) {
      notifyError(sentenceOf(error) ?? 'Couldn’t answer the invitation. Check your connection, then try again.')
      // It may have been taken back.
      await queryClient.invalidateQueries({ queryKey: queryKeys.sharedWithMe })
    }
  })
}

/** Places a shared folder in the user's own files, or removes it from there. */
export function usePlace() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ memberId, mount }: SharedFolder) => {
      if (!mount) return send(placeSharedFolder, { memberId })
      await unlessGone(send(unplaceSharedFolder, { memberId }))
      return null
    },
    async onSuccess(placed, { memberId, name }) {
      const mount = placed && { id: placed.id, name: placed.name, parentId: placed.parentId }
      await changeShared(queryClient, ({ folders, invitations }) => ({
        invitations,
        folders: folders.map((one) => (one.memberId === memberId ? { ...one, mount } : one)),
      }))
      await queryClient.invalidateQueries({ queryKey: queryKeys.folders })
      notifySuccess(placed ? `“${placed.name}” was added to your files.` : `“${name}” was removed from your files.`)
    },
    async onError(error, { mount }) {
      const failed = mount ? 'Couldn’t remove the folder from your files.' : 'Couldn’t add the folder to your files.'
      notifyError(sentenceOf(error) ?? `${failed} Check your connection, then try again.`)
      await queryClient.invalidateQueries({ queryKey: queryKeys.sharedWithMe })
    },
  })
}

/** Leaves a shared folder. */
export function useLeave() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, memberId }: SharedFolder) => unlessGone(send(removeMember, { id, memberId })),
    async onSuccess(_done, { memberId }) {
      await changeShared(queryClient, ({ folders, invitations }) => ({
        invitations,
        folders: folders.filter((one) => one.memberId !== memberId),
      }))
      // The files of the folder must not show from the cache.
      queryClient.removeQueries({ queryKey: queryKeys.folders, type: 'inactive' })
      notifySuccess('You left the folder.')
    },
    async onError(error) {
      notifyError(sentenceOf(error) ?? 'Couldn’t leave the folder. Check your connection, then try again.')
      await queryClient.invalidateQueries({ queryKey: queryKeys.sharedWithMe })
    },
  })
}

/** Resolves also if there is nothing left to remove, because another tab or person was faster. */
async function unlessGone(removing: Promise<unknown>): Promise<void> {
  try {
    await removing
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

function changeMembers(queryClient: QueryClient, folderId: string, change: (members: Member[]) => Member[]) {
  return changeCached<Members>(queryClient, queryKeys.members(folderId), (data) => ({
    ...data,
    members: change(data.members),
  }))
}

function changeShared(queryClient: QueryClient, change: (data: SharedWithMe) => SharedWithMe) {
  return changeCached(queryClient, queryKeys.sharedWithMe, change)
}

/** Changes what is cached, and ends a request whose response would be older. */
async function changeCached<Data>(queryClient: QueryClient, queryKey: QueryKey, change: (data: Data) => Data) {
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<Data>(queryKey, (data) => data && change(data))
}

import type { InputOf } from '@alcove/contract/call'
import {
  changeFolderGroup,
  createGroup,
  deleteGroup,
  listGroups,
  removeFolderGroup,
  updateGroup,
} from '@alcove/contract/groups'
import { inviteMember } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send, sentenceOf } from '../../../../api/api.ts'
import { queryKeys } from '../../../../api/query-keys.ts'
import { useAction } from '../../../../api/use-call.ts'
import { notifyError } from '../../../../ui/toasts/notify.tsx'

/** Returns the user's groups of people. */
export function useGroups() {
  return useQuery({
    queryKey: queryKeys.groups,
    queryFn: ({ signal }) => send(listGroups, {}, { signal }),
    staleTime: 0,
  })
}

/** Returns an action on groups. Afterwards the groups and the people of all folders are fetched again. */
function useGroupAction<Input, Output>(run: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useAction(async (input: Input) => {
    try {
      return await run(input)
    } finally {
      await Promise.all(
        [queryKeys.groups, queryKeys.allMembers].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    }
  })
}

export const useCreateGroup = () => useGroupAction((input: InputOf<typeof createGroup>) => send(createGroup, input))
export const useUpdateGroup = () => useGroupAction((input: InputOf<typeof updateGroup>) => send(updateGroup, input))
export const useDeleteGroup = () => useGroupAction((id: string) => reporting(send(deleteGroup, { id })))

/** Shares a folder with a group. */
export const useInviteGroup = (folderId: string) =>
  useGroupAction((input: { readonly groupId: string; readonly role: Role }) =>
    send(inviteMember, { id: folderId, ...input }),
  )

/** Changes the role of a group in a folder, or with null stops sharing the folder with it. */
export const useChangeFolderGroup = (id: string) =>
  useGroupAction(({ groupId, role }: { readonly groupId: string; readonly role: Role | null }) =>
    reporting(
      role === null ? send(removeFolderGroup, { id, groupId }) : send(changeFolderGroup, { id, groupId, role }),
    ),
  )

async function reporting(sent: Promise<unknown>): Promise<void> {
  try {
    await sent
  } catch (error) {
    notifyError(sentenceOf(error) ?? 'Couldn’t change the group. Check your connection, then try again.')
  }
}

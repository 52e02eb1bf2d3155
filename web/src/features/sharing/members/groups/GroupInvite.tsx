import type { FolderGroup } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { Button, NativeSelect } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { sentenceOf } from '../../../../api/api.ts'
import { BusyButton } from '../../../../ui/BusyButton.tsx'
import { notifyError, notifySuccess } from '../../../../ui/toasts/notify.tsx'
import styles from '../MembersModal.module.css'
import { describeGroup } from './group-texts.ts'
import { openGroups } from './open-groups.ts'
import { useGroups, useInviteGroup } from './queries.ts'

interface GroupInviteProps {
  readonly folderId: string
  readonly role: Role
  /** Those with which the folder is shared already. */
  readonly shared: readonly FolderGroup[]
  /** Whether the user owns the folder. Only owners can share folders with groups of sign-in providers. */
  readonly isOwner: boolean
}

/** Invites a group of people to a folder, with the role that is chosen for people. */
export function GroupInvite({ folderId, role, shared, isOwner }: GroupInviteProps) {
  const { data = [] } = useGroups()
  const { mutate: invite, isPending } = useInviteGroup(folderId)
  const [chosen, setChosen] = useState('')
  const others = data.filter(
    ({ id, provider }) => (isOwner || provider === null) && !shared.some((group) => group.id === id),
  )
  const group = others.find(({ id }) => id === chosen) ?? others[0]

  function inviteChosen() {
    if (!group) return
    invite(
      { groupId: group.id, role },
      {
        onSuccess: () => notifySuccess(`The group “${group.name}” was invited.`),
        onError: (error) =>
          notifyError(sentenceOf(error) ?? 'Couldn’t invite the group. Check your connection, then try again.'),
      },
    )
  }

  return (
    <div className={styles.groupInvite}>
      {group && (
        <>
          <NativeSelect
            className={styles.newRole}
            label="Group"
            data={others.map((one) => ({ value: one.id, label: `${one.name} (${describeGroup(one)})` }))}
            value={group.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <BusyButton className={styles.invite} variant="default" loading={isPending} onClick={inviteChosen}>
            Invite Group
          </BusyButton>
        </>
      )}
      <Button
        variant="subtle"
        className={group && styles.invite}
        data-opener="groups"
        leftSection={<IconUsersGroup size={18} stroke={1.75} />}
        onClick={openGroups}
      >
        Groups…
      </Button>
    </div>
  )
}

import type { Member } from '@alcove/contract/members'
import { type Role, suffices } from '@alcove/contract/roles'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { GroupRow } from './groups/GroupRow.tsx'
import { useOffer } from './hand-over.tsx'
import { InviteForm } from './InviteForm.tsx'
import { MemberRow, PersonRow } from './MemberRow.tsx'
import styles from './MembersModal.module.css'
import { nameOfPerson } from './member-texts.ts'
import { useChangeRole, useMembers, useRemoveMember } from './queries.ts'

/** A folder, and what the user is there as far as that is known before the members have loaded. */
export interface SharedWithPeople {
  readonly id: string
  readonly name: string
  /** Absent in own folders. */
  readonly role?: Role
}

interface MembersProps {
  readonly folder: SharedWithPeople
}

/** Opens the dialog with the people who have access to a folder. The owner and managers invite and remove people there. */
export function openMembersModal(folder: SharedWithPeople): void {
  openDialog({ title: 'Share with people', size: 556, children: <Members folder={folder} /> })
}

function Members({ folder }: MembersProps) {
  const { data: loaded, error, isError, isFetching, refetch } = useMembers(folder.id)
  // What was loaded before the user lost access is not theirs to see any more.
  const isGone = error instanceof ApiError && error.status === 404
  const data = isGone ? undefined : loaded
  const { mutate: changeRole } = useChangeRole(folder.id)
  const { mutate: remove } = useRemoveMember(folder.id)
  const { mutate: offer } = useOffer(folder)
  const name = useRef<HTMLParagraphElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusFallback(name, String(isGone))
  useFocusFallback(heading, data?.members.map(({ id }) => id).join(' '))
  /** The member whose role was changed last. In a group, that moves the row elsewhere. */
  const [changedId, setChangedId] = useState<string>()
  const role = data?.yourRole ?? folder.role ?? 'owner'
  const isOwner = role === 'owner'
  const mayManage = !isGone && (isOwner || suffices(role, 'manager'))
  const groups = data?.groups ?? []
  const peopleOf = (group: string | null) => data?.members.filter(({ groupId }) => groupId === group) ?? []

  async function askAndRemove(member: Member) {
    const name = nameOfPerson(member)
    const isConfirmed = await confirm(
      member.acceptedAt === null
        ? {
            question: `Are you sure you want to take back the invitation of ${name}?`,
            verb: 'Take Back',
            icon: <IconUserMinus size={20} stroke={1.75} />,
          }
        : {
            question: `Are you sure you want to remove ${name}?`,
            detail: `They lose access to the folder at once. What they added stays.`,
            verb: 'Remove',
            icon: <IconUserMinus size={20} stroke={1.75} />,
          },
    )
    if (isConfirmed) remove(member)
  }

  const rowOf = (member: Member) => (
    <MemberRow
      key={member.id}
      member={member}
      mayManage={mayManage}
      takesFocus={member.id === changedId}
      onChangeRole={(role) => {
        setChangedId(member.id)
        changeRole({ member, role })
      }}
      onRemove={() => void askAndRemove(member)}
      {...(isOwner && { onOffer: () => offer(member) })}
    />
  )

  return (
    <div className={styles.content}>
      <p ref={name} className={styles.folder} tabIndex={-1}>
        <bdi dir="auto">{folder.name}</bdi>
      </p>
      {mayManage && <InviteForm folderId={folder.id} groups={groups} isOwner={isOwner} />}
      {!isGone && (
        <p className={styles.note}>
          {isOwner
            ? 'Everything in this folder counts toward your storage.'
            : 'Everything in this folder counts toward the owner’s storage.'}
        </p>
      )}
      {!data && isError && (
        <LoadError
          text={
            isGone
              ? 'This folder was deleted, or is no longer shared with you.'
              : 'Unable to fetch the people in this folder.'
          }
          isBusy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !isError && (
        <>
          <VisuallyHidden role="status">Loading...</VisuallyHidden>
          <Skeleton height={64} radius={12} />
          <Skeleton height={58} radius={12} />
        </>
      )}
      {data && (
        <>
          <h3 ref={heading} className={styles.heading} tabIndex={-1}>
            People with access
          </h3>
          <ul className={styles.list}>
            <PersonRow person={data.owner} isYou={isOwner}>
              <span className={styles.role}>Owner</span>
            </PersonRow>
            {groups.map((group) => {
              const people = peopleOf(group.id)
              return (
                <GroupRow key={group.id} folderId={folder.id} group={group} people={people.length}>
                  {people.map(rowOf)}
                </GroupRow>
              )
            })}
            {peopleOf(null).map(rowOf)}
          </ul>
        </>
      )}
    </div>
  )
}

import type { Member } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { NativeSelect } from '@mantine/core'
import { IconUserCancel, IconUserMinus, IconUserStar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './MembersModal.module.css'
import { nameOfPerson, nameOfRole, roleNames } from './member-texts.ts'

interface MemberRowProps {
  readonly member: Member
  readonly mayManage: boolean
  /** Whether the role takes the focus when the row appears. */
  readonly takesFocus: boolean
  readonly onChangeRole: (role: Role) => void
  readonly onRemove: () => void
  /** Offers the folder to the member, or takes that back. Absent unless the user is the owner. */
  readonly onOffer?: () => void
}

/** A member of a folder, or an invitation. Those who may manage it change the role of others and remove them. */
export function MemberRow({ member, mayManage, takesFocus, onChangeRole, onRemove, onOffer }: MemberRowProps) {
  const { id, role, isYou, acceptedAt, offeredAt } = member
  const name = nameOfPerson(member)
  return (
    <PersonRow
      person={member}
      isYou={isYou}
      badge={acceptedAt === null ? 'Invited' : offeredAt === null ? undefined : 'Asked to own it'}
    >
      {mayManage && !isYou ? (
        <>
          <NativeSelect
            className={styles.select}
            aria-label={`Role of ${name}`}
            autoFocus={takesFocus}
            data={roleNames}
            value={role}
            onChange={(event) => onChangeRole(event.currentTarget.value as Role)}
          />
          {onOffer && acceptedAt !== null && (
            <IconButton
              label={offeredAt === null ? `Make ${name} the owner…` : `Take back the offer to ${name}`}
              data-opener={`owner ${id}`}
              onClick={onOffer}
            >
              {offeredAt === null ? (
                <IconUserStar size={18} stroke={1.75} />
              ) : (
                <IconUserCancel size={18} stroke={1.75} />
              )}
            </IconButton>
          )}
          <IconButton label={`Remove ${name}`} data-opener={`remove ${id}`} onClick={onRemove}>
            <IconUserMinus size={18} stroke={1.75} />
          </IconButton>
        </>
      ) : (
        <span className={styles.role}>{nameOfRole(role)}</span>
      )}
    </PersonRow>
  )
}

interface PersonRowProps {
  readonly person: Pick<Member, 'email' | 'displayName'>
  readonly isYou: boolean
  readonly badge?: string
  readonly children: ReactNode
}

export function PersonRow({ person, isYou, badge, children }: PersonRowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.title}>
          <bdi className={styles.name} dir="auto">
            {nameOfPerson(person)}
          </bdi>
          {isYou && <span className={styles.details}>you</span>}
          {badge && <span className={styles.badge}>{badge}</span>}
        </div>
        {person.displayName && (
          <p className={styles.details}>
            <bdi>{person.email}</bdi>
          </p>
        )}
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  )
}

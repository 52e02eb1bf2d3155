import type { ListedUser } from '@alcove/contract/admin-users'
import { memo } from 'react'
import { usageOf } from '../../../lib/format.ts'
import styles from './Users.module.css'
import { describeSeen, describeState, describeUsage, nameOfPlan } from './user-texts.ts'

interface UserRowProps {
  readonly user: ListedUser
  readonly onOpen: () => void
}

/** A user in the list. The whole row opens the details. */
export const UserRow = memo(function UserRow({ user, onOpen }: UserRowProps) {
  const { email, displayName, state, role, usedBytes, quota } = user
  return (
    <button type="button" className={styles.row} onClick={onOpen}>
      <span className={styles.who}>
        <bdi className={styles.email}>{email}</bdi>
        {displayName !== null && (
          <bdi className={styles.name} dir="auto">
            {displayName}
          </bdi>
        )}
      </span>
      <span className={styles.marks}>
        {role === 'admin' && <span className={styles.badge}>Administrator</span>}
        {state !== 'active' && (
          <span className={styles.badge} data-state={state}>
            {describeState(user)}
          </span>
        )}
      </span>
      <span className={styles.plan}>{nameOfPlan(user.planName)}</span>
      <span className={styles.usage}>
        {describeUsage(user)}
        <span className={styles.meter} aria-hidden>
          <span style={{ width: `${usageOf(usedBytes, quota)}%` }} />
        </span>
      </span>
      <span className={styles.seen}>{describeSeen(user)}</span>
    </button>
  )
})

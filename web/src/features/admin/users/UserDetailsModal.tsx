import type { ListedUser, UserDetails } from '@alcove/contract/admin-users'
import { NO_PLAN_NAME } from '@alcove/contract/plans'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { formatCount, formatMoment, formatSize, plural } from '../../../lib/format.ts'
import { hasPlans } from '../../../lib/site.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { useUser } from './queries.ts'
import { UserActions } from './UserActions.tsx'
import styles from './UserDetails.module.css'
import { describeState, describeUsage, nameOfPlan } from './user-texts.ts'

/** Opens the details of a user, with what administrators can do. */
export function openUserDetails({ id, email }: ListedUser): void {
  const modalId = openDialog({
    title: <bdi className={styles.title}>{email}</bdi>,
    size: 720,
    children: <Details id={id} onGone={() => modals.close(modalId)} />,
  })
}

function Details({ id, onGone }: { readonly id: string; readonly onGone: () => void }) {
  const { data: user, isError, isFetching, refetch } = useUser(id)
  if (!user) {
    if (isError) return <LoadError text="Couldn’t load this user." isBusy={isFetching} onRetry={() => void refetch()} />
    return (
      <>
        <VisuallyHidden role="status">Loading...</VisuallyHidden>
        <Skeleton height={280} radius={12} />
      </>
    )
  }
  return (
    <div className={styles.columns}>
      <Facts user={user} />
      <UserActions user={user} onGone={onGone} />
    </div>
  )
}

/** What is known of a user. Never the names of files. */
function Facts({ user }: { readonly user: UserDetails }) {
  const { displayName, lastSeenAt, suspendedAt, usedBytes, versionBytes, trashedBytes, ownQuota, planQuota } = user
  return (
    <dl className={styles.facts}>
      {displayName !== null && (
        <Fact name="Name">
          <bdi dir="auto">{displayName}</bdi>
        </Fact>
      )}
      <Fact name="State">
        {describeState(user)}
        {suspendedAt !== null && `, suspended ${formatMoment(suspendedAt)}`}
      </Fact>
      <Fact name="Role">{user.role === 'admin' ? 'Administrator' : 'User'}</Fact>
      {user.planName !== NO_PLAN_NAME && (
        <Fact name="Plan">
          {nameOfPlan(user.planName)}
          {user.isPlanPaid ? ', paid by the user' : user.planId !== 0 && ', given by an administrator'}
        </Fact>
      )}
      <Fact name="Storage">
        {describeUsage(user)}
        {ownQuota !== null && ` (${hasPlans() ? 'the plan has' : 'usually'} ${formatSize(planQuota)})`}
      </Fact>
      {usedBytes > 0 && (
        <Fact name="Of which">
          {formatSize(versionBytes)} earlier versions, {formatSize(trashedBytes)} in the trash
        </Fact>
      )}
      <Fact name="Files and folders">{formatCount(user.itemCount)}</Fact>
      <Fact name="Registered">{formatMoment(user.createdAt)}</Fact>
      <Fact name="Last seen">{lastSeenAt === null ? 'Never' : formatMoment(lastSeenAt)}</Fact>
      <Fact name="Signed in">
        {plural(user.sessions, 'session')}, {plural(user.appPasswords, 'app password')}
      </Fact>
      <Fact name="Two-factor sign-in">
        {user.hasTwoFactor ? 'On' : 'Off'}, {plural(user.passkeys, 'passkey')}
      </Fact>
      <Fact name="Sharing">
        {plural(user.links, 'public link')}, {plural(user.sharedFolders, 'shared folder')},{' '}
        {plural(user.memberships, 'membership')}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

import { isPaidPlan } from '@alcove/contract/plans'
import { IconLogout, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { isPaid, useSession } from '../../api/session.ts'
import { useSignOut } from '../../features/accounts/sign-in/use-sign-out.ts'
import { freeStorage, hasPlans } from '../../lib/site.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import styles from './NavigationList.module.css'

interface NavigationListProps {
  readonly navigation: readonly NavigationItem[]
  /** An item of the account's group that is loaded later. */
  readonly lateItem?: ReactNode
  /** Called when an item is chosen, so that a menu can close. */
  readonly onChoose?: () => void
}

/** The navigation of a signed-in user, with Sign Out and the name of the account. */
export function NavigationList({ navigation, lateItem, onChoose }: NavigationListProps) {
  const visible = useVisibleNavigation(navigation)
  const signOut = useSignOut()
  const itemsOf = (group: NavigationItem['group']) =>
    visible
      .filter((item) => item.group === group)
      .map((item) => <NavigationEntry key={item.path} item={item} onChoose={onChoose} />)
  return (
    <>
      <ul className={styles.list}>{itemsOf('files')}</ul>
      <ul className={`${styles.list} ${styles.account}`}>
        {itemsOf('account')}
        {lateItem}
        <li>
          <button
            type="button"
            className={styles.item}
            onClick={() => {
              onChoose?.()
              void signOut()
            }}
          >
            <IconLogout size={20} stroke={1.75} aria-hidden />
            Sign Out
          </button>
        </li>
      </ul>
      <AccountLine />
    </>
  )
}

interface NavigationEntryProps {
  readonly item: Pick<NavigationItem, 'path' | 'label' | 'Icon'>
  readonly onChoose?: () => void
}

/** One line of the navigation. */
export function NavigationEntry({ item: { path, label, Icon }, onChoose }: NavigationEntryProps) {
  return (
    <li>
      <NavLink className={styles.item} to={path} onClick={onChoose}>
        <Icon size={20} stroke={1.75} aria-hidden />
        {label}
        <span className={styles.lamp} aria-hidden />
      </NavLink>
    </li>
  )
}

function AccountLine() {
  const { email, planName } = useSession()
  const [name, domain] = email?.split('@') ?? []
  return (
    <div className={styles.who}>
      <Avatar email={email} />
      <div className={styles.whoText}>
        <div className={styles.email} title={email}>
          {name}
          <wbr />
          {domain && `@${domain}`}
        </div>
        <div className={styles.plan}>{planLine(planName)}</div>
      </div>
    </div>
  )
}

/** Returns the line below the user's address: the plan, and for the free plan its size. Nothing on a server without plans. */
function planLine(planName: string): string {
  return isPaidPlan(planName) ? planName : `Free plan · ${freeStorage}`
}

/** An item of the navigation. */
export interface NavigationItem {
  readonly path: string
  readonly label: string
  readonly Icon: TablerIcon
  /** `files` is at the top, `account` at the end together with Sign Out. */
  readonly group: 'files' | 'account'
  readonly isPaid: boolean
}

/** Returns the items that are part of the user's plan. */
function useVisibleNavigation(navigation: readonly NavigationItem[]): readonly NavigationItem[] {
  const session = useSession()
  return navigation.filter(({ path, isPaid: isPart }) => {
    if (path === '/subscriptions') return hasPlans()
    return !isPart || isPaid(session)
  })
}

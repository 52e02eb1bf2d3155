import { IconLogout } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { planLine } from '../../api/plan-line.ts'
import { useSession } from '../../api/session.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { useSignOut } from '../use-sign-out.ts'
import styles from './NavigationList.module.css'
import { type NavigationItem, useVisibleNavigation } from './navigation.ts'

interface NavigationListProps {
  readonly navigation: readonly NavigationItem[]
  /** Called when a place is chosen, so that a menu can close. */
  readonly onChoose?: () => void
}

/** The places of the signed-in user, Sign Out, and whose account it is. */
export function NavigationList({ navigation, onChoose }: NavigationListProps) {
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

function NavigationEntry({ item: { path, label, Icon }, onChoose }: NavigationEntryProps) {
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

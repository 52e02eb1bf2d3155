import { Menu, UnstyledButton } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { useSignOut } from '../use-sign-out.ts'
import styles from './AccountMenu.module.css'

/** What belongs to the user alone, behind the initial in the header. */
export function AccountMenu() {
  const { email } = useSession()
  const signOut = useSignOut()
  return (
    <Dropdown position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={styles.avatar} aria-label={`Signed in as ${email}`}>
          <Avatar email={email} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={styles.email}>{email}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={18} stroke={1.75} />}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={() => void signOut()}>
          Sign Out
        </Menu.Item>
      </Menu.Dropdown>
    </Dropdown>
  )
}

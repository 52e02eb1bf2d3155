import { Outlet } from 'react-router'
import type { NavigationItem } from './navigation.ts'
import { PublicFooter } from './PublicFooter.tsx'
import { PublicHeader } from './PublicHeader.tsx'
import styles from './PublicLayout.module.css'
import { MAIN_ID, SkipLink } from './SkipLink.tsx'
import { useFocusMain } from './use-focus-main.ts'

interface PublicLayoutProps {
  readonly navigation: readonly NavigationItem[]
}

/** The frame of the screens that need no session. */
export function PublicLayout({ navigation }: PublicLayoutProps) {
  useFocusMain()
  return (
    <div className={styles.page}>
      <SkipLink />
      <PublicHeader navigation={navigation} />
      <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
        <Outlet />
      </main>
      <PublicFooter />
    </div>
  )
}

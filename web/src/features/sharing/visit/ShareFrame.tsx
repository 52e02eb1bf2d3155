import { Button } from '@mantine/core'
import { IconEye, IconInbox, IconLink } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { canRegister } from '../../../lib/sign-up.ts'
import { freeStorage, hasPlans, siteName } from '../../../lib/site.ts'
import { Logo } from '../../../ui/Logo.tsx'
import styles from './ShareFrame.module.css'

/** The page of a public link: its header, and a panel for what the link shows. */
export function ShareFrame({ children }: { readonly children: ReactNode }) {
  const { token } = useSession()
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link className={styles.home} to="/" aria-label={siteName}>
          <Logo />
        </Link>
        {token ? (
          <Button variant="default" component={Link} to="/profile">
            Profile
          </Button>
        ) : (
          <Button variant="default" component={Link} to={canRegister() ? '/register' : '/login'}>
            {!canRegister() ? 'Sign In' : hasPlans() ? 'Get Started With Free Tier' : 'Create an account'}
          </Button>
        )}
      </header>
      <main className={styles.panel}>{children}</main>
    </div>
  )
}

/** Introduces Alcove to visitors. */
export function ShareFoot() {
  return (
    <div className={styles.foot}>
      <span className={styles.mark} aria-hidden>
        <Logo />
      </span>
      <p className={styles.footText}>
        {siteName} is private storage for your files.
        {canRegister() && hasPlans() && ` Start with ${freeStorage}, free.`}
      </p>
    </div>
  )
}

interface SharedByChipProps {
  /** The owner's display name, if they have set one. */
  readonly sharedBy: string | undefined
  /** The link asks for files. */
  readonly isRequest?: boolean
}

/** Says that the item is shared, and by whom if the owner has a display name. */
export function SharedByChip({ sharedBy, isRequest = false }: SharedByChipProps) {
  return (
    <p className={styles.chip}>
      {isRequest ? <IconInbox size={14} stroke={1.75} aria-hidden /> : <IconLink size={14} stroke={1.75} aria-hidden />}
      <span className={styles.sharedBy}>
        {sharedBy ? (
          <>
            {isRequest ? 'Requested by' : 'Shared by'} <bdi dir="auto">{sharedBy}</bdi>
          </>
        ) : isRequest ? (
          'File request'
        ) : (
          'Shared with you'
        )}
      </span>
    </p>
  )
}

/** Says that visitors can't download. */
export function ViewOnlyChip() {
  return (
    <p className={styles.chip}>
      <IconEye size={14} stroke={1.75} aria-hidden />
      View only
    </p>
  )
}

/** Returns the ref of a heading that takes the focus when mounted, if the user came from within the page. */
export function useFocusedHeading(takesFocus: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const isWanted = useRef(takesFocus)
  useEffect(() => {
    if (isWanted.current) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}

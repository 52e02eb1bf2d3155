import { Portal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { createContext, type ReactNode, useContext } from 'react'
import styles from './PageHeader.module.css'

/** The part of the shell's header that belongs to the page; null while there is none. */
export const PageHeaderSlot = createContext<HTMLElement | null>(null)

interface PageHeaderProps {
  readonly children: ReactNode
}

/**
 * Puts a page's heading or search box into the shell's header. On a narrow screen, whose header has no room, it stays
 * where it is written.
 */
export function PageHeader({ children }: PageHeaderProps) {
  const slot = useContext(PageHeaderSlot)
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  if (!isWide) return <div className={styles.inPage}>{children}</div>
  return slot && <Portal target={slot}>{children}</Portal>
}

/** A page's title: in the shell's header, or at the top of the page on a narrow screen. */
export function PageHeading({ children }: PageHeaderProps) {
  return (
    <PageHeader>
      <h1 className={styles.heading}>{children}</h1>
    </PageHeader>
  )
}

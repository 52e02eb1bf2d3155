import { Portal } from '@mantine/core'
import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import { useIsPhone } from '../lib/use-is-phone.ts'
import { useMedia } from '../lib/use-media.ts'
import styles from './PageHeader.module.css'

/** The parts of the shell that belong to the page; null while there are none. */
export const PageHeaderSlot = createContext<HTMLElement | null>(null)
/** Between the header and the panel of a phone; it scrolls away. */
export const PageStripSlot = createContext<HTMLElement | null>(null)

interface PageHeaderProps {
  readonly children: ReactNode
}

/**
 * Puts a page's heading or search box into the shell's header. On a narrow screen, whose header has no room, it stays
 * where it is written.
 */
export function PageHeader({ children }: PageHeaderProps) {
  const slot = useContext(PageHeaderSlot)
  const isWide = useMedia('(min-width: 62em)')
  if (!isWide) return <div className={styles.inPage}>{children}</div>
  return slot && <Portal target={slot}>{children}</Portal>
}

/** Puts something into the header of a phone, where it replaces the logo. */
export function PhoneHeader({ children }: PageHeaderProps) {
  const slot = useContext(PageHeaderSlot)
  return slot && createPortal(children, slot)
}

/** Puts something between the header and the panel of a phone. */
export function PhoneStrip({ children }: PageHeaderProps) {
  const slot = useContext(PageStripSlot)
  return slot && createPortal(children, slot)
}

interface FolderHeadingProps {
  readonly back: ReactNode
  readonly name: string
}

/** What the header of a phone shows inside a folder, in place of the page's own heading. */
export function PhoneFolderHeading({ back, name }: FolderHeadingProps) {
  return (
    <PhoneHeader>
      <div className={styles.folder} data-folder-heading>
        {back}
        <bdi className={styles.folderName} title={name}>
          {name}
        </bdi>
      </div>
    </PhoneHeader>
  )
}

/** A page's title: in the shell's header, or at the top of the page on a narrow screen. */
export function PageHeading({ children }: PageHeaderProps) {
  const heading = <h1 className={styles.heading}>{children}</h1>
  return useIsPhone() ? <PhoneHeader>{heading}</PhoneHeader> : <PageHeader>{heading}</PageHeader>
}

import { Portal } from '@mantine/core'
import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import { useIsPhone, useMedia } from '../lib/use-media.ts'
import styles from './PageHeader.module.css'

/** The element of the shell's header that pages render into; null while it isn't mounted. */
export const PageHeaderSlot = createContext<HTMLElement | null>(null)
/** The same between the header and the panel on a phone. It scrolls with the page. */
export const PageStripSlot = createContext<HTMLElement | null>(null)

interface PageHeaderProps {
  readonly children: ReactNode
}

/**
 * Renders a page's heading or search box into the shell's header. Narrow screens have no space for it there, so it
 * stays in the page.
 */
export function PageHeader({ children }: PageHeaderProps) {
  const slot = useContext(PageHeaderSlot)
  const isWide = useMedia('(min-width: 62em)')
  if (!isWide) return <div className={styles.inPage}>{children}</div>
  return slot && <Portal target={slot}>{children}</Portal>
}

/** Renders into the header on a phone, where it replaces the logo. */
export function PhoneHeader({ children }: PageHeaderProps) {
  const slot = useContext(PageHeaderSlot)
  return slot && createPortal(children, slot)
}

/** Renders between the header and the panel on a phone. */
export function PhoneStrip({ children }: PageHeaderProps) {
  const slot = useContext(PageStripSlot)
  return slot && createPortal(children, slot)
}

interface FolderHeadingProps {
  readonly back: ReactNode
  readonly name: string
}

/** The header of a folder on a phone. */
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

/** The title of a page, in the shell's header, or at the top of the page on a narrow screen. */
export function PageHeading({ children }: PageHeaderProps) {
  const heading = <h1 className={styles.heading}>{children}</h1>
  return useIsPhone() ? <PhoneHeader>{heading}</PhoneHeader> : <PageHeader>{heading}</PageHeader>
}

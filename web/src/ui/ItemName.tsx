import { useLayoutEffect, useRef } from 'react'
import { endOfName } from '../lib/file-names.ts'
import styles from './ItemName.module.css'

interface ItemNameProps {
  readonly name: string
  readonly className?: string
}

/**
 * The name of a file or folder on one line. Where it does not fit, its middle gives way and its end stays. The name is
 * one text, which can be searched for in the page, copied and read aloud: the end is drawn by the style sheet.
 */
export function ItemName({ name, className }: ItemNameProps) {
  const line = useRef<HTMLElement>(null)
  const end = endOfName(name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name may fit where the last one didn't
  useLayoutEffect(() => {
    const element = line.current
    if (!element || end === '') return
    widths.observe(element)
    return () => widths.unobserve(element)
  }, [name, end])
  return (
    <bdi
      ref={line}
      className={className ? `${styles.name} ${className}` : styles.name}
      dir="auto"
      title={name}
      data-end={end || undefined}
    >
      <span className={styles.text}>{name}</span>
    </bdi>
  )
}

/** In a narrower place than this, in rem, the beginning of a name is worth more than its end. */
const NARROW = 6

/** Marks the names that don't fit. One observer for all of them, which is told before the page is painted. */
const widths = globalThis.ResizeObserver
  ? new ResizeObserver((entries) => {
      const least = NARROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const cut = entries.map(({ target: { firstElementChild: text, clientWidth } }) => {
        return clientWidth >= least && text !== null && text.scrollWidth > clientWidth
      })
      entries.forEach(({ target }, index) => {
        target.toggleAttribute('data-shortened', cut[index])
      })
    })
  : { observe() {}, unobserve() {} }

import { useLayoutEffect, useRef } from 'react'
import { endOfName } from '../lib/file-names.ts'
import styles from './ItemName.module.css'
import { nameWidths } from './name-widths.ts'

interface ItemNameProps {
  readonly name: string
  readonly className?: string
}

/**
 * The name of a file or folder on one line. If it doesn't fit, its middle is cut and its end stays. The end is drawn by
 * the style sheet, so that the name is a single text when it is searched for, copied or read aloud.
 */
export function ItemName({ name, className }: ItemNameProps) {
  const line = useRef<HTMLElement>(null)
  const end = endOfName(name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name may fit where the last one didn't
  useLayoutEffect(() => {
    const element = line.current
    if (!element || end === '') return
    nameWidths.observe(element)
    return () => nameWidths.unobserve(element)
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

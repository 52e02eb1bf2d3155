import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './DetailsPane.module.css'

interface FactProps {
  readonly name: string
  readonly isLoading?: boolean
  readonly children?: ReactNode
}

/** One line of the details. Without anything to say it is left out. */
export function Detail({ name, isLoading = false, children }: FactProps) {
  if (!isLoading && (children === undefined || children === null)) return null
  return (
    <div className={styles.detail}>
      <dt>{name}</dt>
      <dd>{isLoading ? <Skeleton height={12} width="60%" my={4} /> : children}</dd>
    </div>
  )
}

import type { Item } from '@alcove/contract/items'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { LoadError } from '../../ui/LoadError.tsx'
import { LinkedItemCard } from './LinkedItemCard.tsx'
import { PublicLinkForm } from './PublicLinkForm.tsx'
import styles from './PublicLinkModal.module.css'
import { usePublicLink } from './queries.ts'

/** Shows an item's public link, to be enabled, copied and protected. */
export function openPublicLinkModal(item: Item, more?: (link: string) => ReactNode): void {
  modals.open({ title: 'Public Link', size: 556, children: <PublicLinkContent item={item} more={more} /> })
}

interface PublicLinkContentProps {
  readonly item: Item
  readonly more?: (link: string) => ReactNode
}

function PublicLinkContent({ item, more }: PublicLinkContentProps) {
  const { data, isError, isFetching, refetch } = usePublicLink(item)
  return (
    <div className={styles.content}>
      <LinkedItemCard item={item} />
      {data && <PublicLinkForm item={item} link={data} />}
      {data?.enabled && more?.(data.link)}
      {!data && isError && (
        <LoadError text="Could not retrieve public link." isBusy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <LinkSkeleton />}
    </div>
  )
}

function LinkSkeleton() {
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={40} width="70%" />
      <Skeleton height={42} />
      <Skeleton height={20} width={90} />
    </>
  )
}

import type { Item } from '@alcove/contract/items'
import type { SharedItem } from '@alcove/contract/sharing'
import { Button, VisuallyHidden } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import { useCallback, useEffect, useRef } from 'react'
import { plural } from '../../../lib/format.ts'
import { useDelayed } from '../../../lib/use-delayed.ts'
import { confirm } from '../../../ui/dialogs/confirm.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { EmptySharedLinks } from './EmptySharedLinks.tsx'
import { useDisableAllLinks, useDisableLink, useSharedLinks } from './queries.ts'
import { SharedLinkRow } from './SharedLinkRow.tsx'
import styles from './SharedLinksList.module.css'
import { SharedLinksSkeleton } from './SharedLinksSkeleton.tsx'

const FETCH_FAILED = 'Unable to fetch public links.'

/** Skeletons come only when loading takes long enough to be noticed. */
const SKELETON_DELAY = 150

interface SharedLinksListProps {
  /** The same function for as long as the list is shown. */
  readonly onSettings: (item: Item) => void
}

/** What the user shares by a link: to be looked after, and taken back. */
export function SharedLinksList({ onSettings }: SharedLinksListProps) {
  const query = useSharedLinks()
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchNextPageError } = query
  const { mutate: disable } = useDisableLink()
  const { mutate: disableAll, isPending: isDisablingAll } = useDisableAllLinks()
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const heading = useRef<HTMLParagraphElement>(null)
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = end.current
    if (!element || !hasNextPage || isFetching || isFetchNextPageError) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: '800px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [hasNextPage, isFetching, fetchNextPage, isFetchNextPageError])

  const handleDisable = useCallback(
    (shared: SharedItem) => {
      // Its row takes the button that was pressed along.
      heading.current?.focus({ preventScroll: true })
      disable(shared)
    },
    [disable],
  )

  async function askAndDisableAll() {
    const isSure = await confirm({
      question: 'Are you sure you want to disable all public links?',
      detail: 'Nobody can open them any more. A link that you enable again is the same as before.',
      verb: 'Disable All',
      icon: <IconLinkOff size={20} stroke={1.75} />,
    })
    if (isSure) disableAll()
  }

  if (showsSkeleton) return <SharedLinksSkeleton />
  if (!data) {
    return isError && <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void refetch()} />
  }
  if (data.total === 0) return <EmptySharedLinks />
  return (
    <>
      <div className={styles.top}>
        <p ref={heading} className={styles.count} role="status" tabIndex={-1}>
          {plural(data.total, 'link')}
        </p>
        <Button
          variant="default"
          leftSection={<IconLinkOff size={18} stroke={1.75} />}
          loading={isDisablingAll}
          onClick={() => void askAndDisableAll()}
        >
          Disable All
        </Button>
      </div>
      <VisuallyHidden component="h2">Links</VisuallyHidden>
      <ul className={styles.list}>
        {data.links.map((shared) => (
          <SharedLinkRow key={shared.item.id} shared={shared} onSettings={onSettings} onDisable={handleDisable} />
        ))}
      </ul>
      {isFetchNextPageError && (
        <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void fetchNextPage()} />
      )}
      <div ref={end} />
    </>
  )
}

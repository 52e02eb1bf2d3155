import type { Item } from '@alcove/contract/items'
import type { SharedItem } from '@alcove/contract/sharing'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import { type Ref, useCallback, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { plural } from '../../../lib/format.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { useDelayed } from '../../../lib/use-delayed.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { DevicesNiche } from '../../../ui/art/niches.tsx'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { confirm, openLater } from '../../../ui/dialogs/dialogs.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { confirmDeletion } from '../links/confirm-deletion.ts'
import { useDeleteSharedLink, useDisableAllLinks, useDisableLink, useEnableLink, useSharedLinks } from './queries.ts'
import { SharedLinkRow } from './SharedLinkRow.tsx'
import styles from './SharedLinksList.module.css'

const linkForm = lazyModule(() => import('../links/LinkFormModal.tsx'))

const FETCH_FAILED = 'Unable to fetch public links.'

/** Skeletons appear only if loading takes longer than this, in milliseconds. */
const SKELETON_DELAY = 150

interface SharedLinksListProps {
  /** Opens the dialog for the first link of an item. Must be stable across renders, since rows are memoized. */
  readonly onSettings: (item: Item) => void
}

/** Lists the user's public links, with what can be done with each. */
export function SharedLinksList({ onSettings }: SharedLinksListProps) {
  const query = useSharedLinks()
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchNextPageError } = query
  const { mutate: enable } = useEnableLink()
  const { mutate: disable } = useDisableLink()
  const { mutate: remove } = useDeleteSharedLink()
  const { mutate: disableAll, isPending: isDisablingAll } = useDisableAllLinks()
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const heading = useRef<HTMLParagraphElement>(null)
  const emptyTitle = useRef<HTMLHeadingElement>(null)
  const end = useRef<HTMLDivElement>(null)
  // The last link takes the count and the button with it.
  useFocusFallback(emptyTitle, data && String(data.total === 0))

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
      // The focused button is removed, for a first link with its row.
      heading.current?.focus({ preventScroll: true })
      disable(shared)
    },
    [disable],
  )

  const handleDelete = useCallback(
    async (shared: SharedItem) => {
      if (!(await confirmDeletion(shared))) return
      heading.current?.focus({ preventScroll: true })
      remove(shared)
    },
    [remove],
  )

  const handleSettings = useCallback(
    (shared: SharedItem) => {
      if (shared.isFirst) onSettings(shared.item)
      else void openLater(linkForm, ({ openLinkForm }) => openLinkForm(shared.item, shared))
    },
    [onSettings],
  )

  async function askAndDisableAll() {
    const isConfirmed = await confirm({
      question: 'Are you sure you want to disable all public links?',
      detail: 'Nobody can open them any more. If you enable a link again, its address stays the same.',
      verb: 'Disable All',
      icon: <IconLinkOff size={20} stroke={1.75} />,
    })
    if (isConfirmed) disableAll()
  }

  if (showsSkeleton) return <SharedLinksSkeleton />
  if (!data) {
    return isError && <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void refetch()} />
  }
  if (data.total === 0) return <EmptySharedLinks titleRef={emptyTitle} />
  return (
    <>
      <div className={styles.top}>
        <p ref={heading} className={styles.count} role="status" tabIndex={-1}>
          {plural(data.total, 'link')}
        </p>
        <BusyButton
          variant="default"
          leftSection={<IconLinkOff size={18} stroke={1.75} />}
          loading={isDisablingAll}
          onClick={() => void askAndDisableAll()}
        >
          Disable All
        </BusyButton>
      </div>
      <VisuallyHidden component="h2">Links</VisuallyHidden>
      <ul className={styles.list}>
        {data.links.map((shared) => (
          <SharedLinkRow
            key={shared.id}
            shared={shared}
            onSettings={handleSettings}
            onEnable={enable}
            onDisable={handleDisable}
            onDelete={handleDelete}
          />
        ))}
      </ul>
      {isFetchNextPageError && (
        <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void fetchNextPage()} />
      )}
      <div ref={end} />
    </>
  )
}

function EmptySharedLinks({ titleRef }: { readonly titleRef: Ref<HTMLHeadingElement> }) {
  return (
    <EmptyState
      titleRef={titleRef}
      art={<DevicesNiche />}
      title="Nothing is shared"
      hint="Choose Public Link in the menu of a file or folder. Its links are listed here."
      action={
        <Button component={Link} to="/profile">
          Go to your files
        </Button>
      }
    />
  )
}

const ROWS = ['first', 'second', 'third', 'fourth']

function SharedLinksSkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      {ROWS.map((row) => (
        <Skeleton key={row} height={58} radius={12} />
      ))}
    </div>
  )
}

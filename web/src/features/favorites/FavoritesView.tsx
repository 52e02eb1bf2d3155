import { Button, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { DropItems } from '../../items/drag/use-item-drag.ts'
import { ItemGrid } from '../../items/grid/ItemGrid.tsx'
import type { View } from '../../items/grid/layout.ts'
import type { ItemActions } from '../../items/item-actions.ts'
import { ListFrame, type Selected } from '../../items/ListFrame.tsx'
import { EMPTY_LIST } from '../../items/lists/item-lists.ts'
import type { Sort } from '../../items/lists/item-order.ts'
import { ItemSkeleton } from '../../items/tiles/ItemSkeletons.tsx'
import { useSelection } from '../../items/use-selection.ts'
import { plural } from '../../lib/format.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { HeartNiche } from '../../ui/art/niches.tsx'
import { afterDialogs } from '../../ui/dialogs/open-layers.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import styles from './FavoritesView.module.css'
import { useFavorites, useSortedFavorites } from './queries.ts'

interface FavoritesViewProps {
  readonly actions: ItemActions
  /** Renders the details beside the list. */
  readonly details: (selected: Selected) => ReactNode
  readonly view: View
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  /** The controls for view and order. */
  readonly tools: ReactNode
  /** The item that gets the focus. */
  readonly arrivalId?: string
  /** The folder that Back led from. */
  readonly leftId: string | undefined
  /** The file that the preview over the page shows. */
  readonly previewId: string | undefined
  readonly onMoveInto: DropItems
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
}

/** Skeletons show only if loading takes long enough to be noticed, in milliseconds. */
const SKELETON_DELAY = 150

/** All favorites, from every folder. */
export function FavoritesView({ details, tools, ...props }: FavoritesViewProps) {
  const { isPending, isError, isFetching, refetch } = useFavorites()
  const data = useSortedFavorites(props.sort)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const list = data ?? EMPTY_LIST
  const count = list.total
  const selection = useSelection(list, 'favorites')
  const hadItems = useRef(false)
  if (count > 0) hadItems.current = true

  return (
    <>
      <div className={styles.bar}>
        <p className={styles.place}>Current Folder: Root</p>
        {count > 0 && tools}
      </div>
      <VisuallyHidden role="status">{data && plural(count, 'favorite')}</VisuallyHidden>
      {showsSkeleton && <ItemSkeleton view={props.view} />}
      {isError && !data && (
        <LoadError text="Unable to fetch files/folders." isBusy={isFetching} onRetry={() => void refetch()} />
      )}
      {data && count === 0 && <EmptyFavorites hasJustEmptied={hadItems.current} />}
      {count > 0 && (
        <ListFrame list={list} selection={selection} actions={props.actions} details={details}>
          <ItemGrid label="Favorite files and folders" list={list} selection={selection} {...props} />
        </ListFrame>
      )}
    </>
  )
}

interface EmptyFavoritesProps {
  /** Whether the last favorite was just removed, and the focus may have been lost with it. */
  readonly hasJustEmptied: boolean
}

function EmptyFavorites({ hasJustEmptied }: EmptyFavoritesProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!hasJustEmptied) return
    return afterDialogs(() => {
      if (document.activeElement === document.body) title.current?.focus()
    })
  }, [hasJustEmptied])
  return (
    <EmptyState
      art={<HeartNiche />}
      title="Add Favorites"
      titleRef={title}
      hint="Tap the heart on any file or folder and it will be waiting here, wherever it is stored."
      action={
        <Button component={Link} to="/profile">
          Go to your files
        </Button>
      }
    />
  )
}

import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useMemo, useRef } from 'react'
import type { DropItems } from '../../items/drag/use-item-drag.ts'
import { ItemGrid } from '../../items/grid/ItemGrid.tsx'
import type { View } from '../../items/grid/layout.ts'
import type { ItemActions } from '../../items/item-actions.ts'
import { ListFrame, type Selected } from '../../items/ListFrame.tsx'
import { completeList, EMPTY_LIST } from '../../items/lists/item-lists.ts'
import { type Sort, sortItems } from '../../items/lists/item-order.ts'
import { ItemSkeleton } from '../../items/tiles/ItemSkeleton.tsx'
import { useSelection } from '../../items/use-selection.ts'
import { plural } from '../../lib/format.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { EmptyFavorites } from './EmptyFavorites.tsx'
import styles from './FavoritesView.module.css'
import { useFavorites } from './queries.ts'

interface FavoritesViewProps {
  readonly actions: ItemActions
  /** What stands beside the list. */
  readonly details: (selected: Selected) => ReactNode
  readonly view: View
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  /** How they are shown and in which order is chosen with these. */
  readonly tools: ReactNode
  /** The item that the keyboard starts at. */
  readonly arrivalId?: string
  readonly onMoveInto: DropItems
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
}

/** Skeletons come only when loading takes long enough to be noticed. */
const SKELETON_DELAY = 150

/** All favorites, wherever they lie. */
export function FavoritesView({ details, tools, ...props }: FavoritesViewProps) {
  const { data, isPending, isError, isFetching, refetch } = useFavorites()
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const { field, order } = props.sort
  const list = useMemo(
    () => (data ? completeList(sortItems(data.items, { field, order })) : EMPTY_LIST),
    [data, field, order],
  )
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

import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useMemo, useRef } from 'react'
import { plural } from '../../lib/format.ts'
import { completeList, EMPTY_LIST } from '../../lib/item-lists.ts'
import { type Sort, sortItems } from '../../lib/item-order.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { ItemGrid } from '../../ui/items/ItemGrid.tsx'
import { ItemSkeleton } from '../../ui/items/ItemSkeleton.tsx'
import type { ItemActions } from '../../ui/items/item-actions.ts'
import { ListFrame, type Selected } from '../../ui/items/ListFrame.tsx'
import type { View } from '../../ui/items/layout.ts'
import type { DropItems } from '../../ui/items/use-item-drag.ts'
import { useSelection } from '../../ui/items/use-selection.ts'
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

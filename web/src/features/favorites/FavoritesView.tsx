import type { Item } from '@alcove/contract/items'
import { VisuallyHidden } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { plural } from '../../lib/format.ts'
import { DEFAULT_SORT, sortFiles, sortFolders } from '../../lib/item-order.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { ItemGrid } from '../../ui/items/ItemGrid.tsx'
import { ItemSkeleton } from '../../ui/items/ItemSkeleton.tsx'
import type { ItemActions } from '../../ui/items/item-actions.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { EmptyFavorites } from './EmptyFavorites.tsx'
import styles from './FavoritesView.module.css'
import { useFavorites } from './queries.ts'

interface FavoritesViewProps {
  readonly actions: ItemActions
  /** The item that the keyboard starts at. */
  readonly arrivalId?: string
  readonly onMoveInto: (item: Item, folderId: string | undefined) => void
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
}

/** Skeletons come only when loading takes long enough to be noticed. */
const SKELETON_DELAY = 150

/** All favorites, wherever they lie. */
export function FavoritesView(props: FavoritesViewProps) {
  const { data, isPending, isError, isFetching, refetch } = useFavorites()
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const folders = useMemo(() => sortFolders(data?.folders ?? [], DEFAULT_SORT), [data?.folders])
  const files = useMemo(() => sortFiles(data?.files ?? [], DEFAULT_SORT), [data?.files])
  const count = folders.length + files.length
  const hadItems = useRef(false)
  if (count > 0) hadItems.current = true

  return (
    <>
      <p className={styles.place}>Current Folder: Root</p>
      <VisuallyHidden role="status">{data && plural(count, 'favorite')}</VisuallyHidden>
      {showsSkeleton && <ItemSkeleton />}
      {isError && !data && (
        <LoadError text="Unable to fetch files/folders." isBusy={isFetching} onRetry={() => void refetch()} />
      )}
      {data && count === 0 && <EmptyFavorites hasJustEmptied={hadItems.current} />}
      {count > 0 && <ItemGrid label="Favorite files and folders" folders={folders} files={files} {...props} />}
    </>
  )
}

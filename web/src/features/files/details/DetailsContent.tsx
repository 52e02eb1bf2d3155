import { getItem } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { isRoot } from '../../../api/vault-root.ts'
import type { ItemActions } from '../../../items/item-actions.ts'
import type { Selected } from '../../../items/ListFrame.tsx'
import { bytesSelected } from '../../../items/selection.ts'
import { formatCount, formatSize, plural } from '../../../lib/format.ts'
import styles from './DetailsPane.module.css'
import { Detail, ItemDetails } from './ItemDetails.tsx'

interface DetailsContentProps {
  /** The item whose details were requested, which takes precedence over the selection. */
  readonly requested: Item | undefined
  readonly selected: Selected
  readonly folderId: string | undefined
  /** Shows the earlier versions of a file. */
  readonly onHistory: ItemActions['history']
}

/** The details of one item, of several, or of the folder that is shown. */
export function DetailsContent({ requested, selected, folderId, onHistory }: DetailsContentProps) {
  const { items, everything } = selected
  const [only] = items
  const isSeveral = everything !== undefined || items.length > 1
  const shown = requested ?? (isSeveral ? undefined : only)
  if (shown) return <ItemDetails key={shown.id} item={shown} onHistory={onHistory} />
  return isSeveral ? (
    <SelectionDetails selected={selected} />
  ) : (
    <FolderDetails folderId={folderId} onHistory={onHistory} />
  )
}

/** The details of the folder that is shown. The root, and a list that isn't a folder, have none. */
function FolderDetails({ folderId, onHistory }: Pick<DetailsContentProps, 'folderId' | 'onHistory'>) {
  const { data } = useQuery({
    queryKey: queryKeys.item(folderId ?? ''),
    queryFn: ({ signal }) => send(getItem, { id: folderId ?? '' }, { signal }),
    enabled: !isRoot(folderId),
  })
  if (data) return <ItemDetails key={data.item.id} item={data.item} onHistory={onHistory} />
  return <p className={styles.hint}>Select a file or folder to see its details.</p>
}

/** The number and the size of the selected items. */
function SelectionDetails({ selected: { items, everything } }: { readonly selected: Selected }) {
  const folders = items.filter(({ type }) => type === 'folder').length
  const files = items.length - folders
  return (
    <>
      <h3 className={styles.name}>{plural(everything?.count ?? items.length, 'item')}</h3>
      {!everything && (
        <dl className={styles.details}>
          {files > 0 && <Detail name="Files">{formatCount(files)}</Detail>}
          {folders > 0 && <Detail name="Folders">{formatCount(folders)}</Detail>}
          {files > 0 && (
            <Detail name="Total size">
              {formatSize(bytesSelected(items))}
              {folders > 0 && <span className={styles.exact}> without the contents of the folders</span>}
            </Detail>
          )}
        </dl>
      )}
    </>
  )
}

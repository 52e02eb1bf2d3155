import { getItem } from '@alcove/contract/item-calls'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { isRoot } from '../../../api/vault-root.ts'
import styles from './DetailsPane.module.css'
import { ItemDetails } from './ItemDetails.tsx'

/** While nothing is selected: the folder that is shown. The root, and a list that is no folder, has nothing to tell. */
export function FolderDetails({ folderId }: { readonly folderId: string | undefined }) {
  const { data } = useQuery({
    queryKey: queryKeys.item(folderId ?? ''),
    queryFn: ({ signal }) => send(getItem, { id: folderId ?? '' }, { signal }),
    enabled: !isRoot(folderId),
  })
  if (data) return <ItemDetails key={data.item.id} item={data.item} />
  return <p className={styles.hint}>Select a file or folder to see what is known of it.</p>
}

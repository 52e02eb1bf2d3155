import { formatCount, formatSize, plural } from '../../lib/format.ts'
import type { Selected } from '../../ui/items/ListFrame.tsx'
import { bytesSelected } from '../../ui/items/selection.ts'
import styles from './DetailsPane.module.css'
import { Fact } from './Fact.tsx'

/** How many items are selected, and how large they are. */
export function SelectionDetails({ selected: { items, everything } }: { readonly selected: Selected }) {
  const folders = items.filter(({ type }) => type === 'folder').length
  const files = items.length - folders
  return (
    <>
      <h3 className={styles.name}>{plural(everything?.count ?? items.length, 'item')}</h3>
      {!everything && (
        <dl className={styles.facts}>
          {files > 0 && <Fact name="Files">{formatCount(files)}</Fact>}
          {folders > 0 && <Fact name="Folders">{formatCount(folders)}</Fact>}
          {files > 0 && (
            <Fact name="Total size">
              {formatSize(bytesSelected(items))}
              {folders > 0 && <span className={styles.exact}> without what is in the folders</span>}
            </Fact>
          )}
        </dl>
      )}
    </>
  )
}

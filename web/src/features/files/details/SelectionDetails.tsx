import type { Selected } from '../../../items/ListFrame.tsx'
import { bytesSelected } from '../../../items/selection.ts'
import { formatCount, formatSize, plural } from '../../../lib/format.ts'
import { Detail } from './Detail.tsx'
import styles from './DetailsPane.module.css'

/** How many items are selected, and how large they are. */
export function SelectionDetails({ selected: { items, everything } }: { readonly selected: Selected }) {
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
              {folders > 0 && <span className={styles.exact}> without what is in the folders</span>}
            </Detail>
          )}
        </dl>
      )}
    </>
  )
}

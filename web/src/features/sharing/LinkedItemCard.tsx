import type { Item } from '@alcove/contract/items'
import { Thumbnail } from '../../items/tiles/Thumbnail.tsx'
import { formatDay, formatSize } from '../../lib/format.ts'
import { FileTypeSheet } from '../../ui/FileTypeSheet.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import styles from './PublicLinkModal.module.css'

/** What the link of the dialog is for. */
export function LinkedItemCard({ item }: { readonly item: Item }) {
  return (
    <div className={styles.card}>
      <span className={styles.picture} data-kind={item.type}>
        {item.type === 'folder' ? (
          <FolderGlyph size={44} />
        ) : (
          <Thumbnail file={item} size={256} fallback={<FileTypeSheet filename={item.name} size={30} />} />
        )}
      </span>
      <div className={styles.what}>
        <ItemName name={item.name} className={styles.name} />
        <div className={styles.details}>
          {item.type === 'folder' ? `Folder, modified ${formatDay(item.updatedAt)}` : formatSize(item.size)}
        </div>
      </div>
    </div>
  )
}

import type { PublicFile, PublicFolder, PublicFolderContents } from '@alcove/contract/sharing'
import { IconLock } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import shape from '../../../items/tiles/tile-shape.module.css'
import { formatDay, formatSize } from '../../../lib/format.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { usePreviewAddress } from '../../../preview/use-preview-address.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import type { Decryptor } from './EncryptedFile.tsx'
import { linkAddress, type Visit } from './link-address.ts'
import { PublicThumbnail } from './PublicThumbnail.tsx'
import styles from './SharedTiles.module.css'
import { useGrowingCount } from './use-growing-count.ts'

const modal = lazyModule(() => import('./EncryptedFileModal.tsx'))

interface SharedTilesProps {
  readonly visit: Visit
  readonly folder: PublicFolderContents
  readonly Decryptor: Decryptor
}

/** What is in a folder, to be entered and looked at. More of it comes into the page as the reader nears its end. */
export function SharedTiles({ visit, folder: { subFolders, files }, Decryptor }: SharedTilesProps) {
  const end = useRef<HTMLDivElement>(null)
  const count = useGrowingCount(end, subFolders.length + files.length)
  const { open } = usePreviewAddress()
  const openFile = (file: PublicFile) => {
    if (!file.isEncrypted) open(file.id)
    else void openLater(modal, ({ openEncryptedFileModal }) => openEncryptedFileModal(visit, file, Decryptor))
  }
  const shownFiles = files.slice(0, Math.max(0, count - subFolders.length))
  return (
    <>
      {subFolders.length > 0 && (
        <>
          <h2 className={styles.heading}>Folders</h2>
          <ul className={styles.folders}>
            {subFolders.slice(0, count).map((folder) => (
              <FolderTile key={folder.id} folder={folder} address={linkAddress(visit, folder.id)} />
            ))}
          </ul>
        </>
      )}
      {shownFiles.length > 0 && (
        <>
          <h2 className={styles.heading}>Files</h2>
          <ul className={styles.files}>
            {shownFiles.map((file) => (
              <FileTile key={file.id} file={file} visit={visit} onOpen={openFile} />
            ))}
          </ul>
        </>
      )}
      <div ref={end} />
    </>
  )
}

function FolderTile({ folder, address }: { readonly folder: PublicFolder; readonly address: string }) {
  return (
    <li>
      <Link className={`${shape.folder} ${styles.tile}`} to={address}>
        <FolderGlyph size={38} isVault={folder.isEncrypted} />
        <span className={shape.text}>
          <ItemName name={folder.name} className={shape.name} />{' '}
          <span className={shape.meta}>Modified {formatDay(folder.updatedAt)}</span>
        </span>
      </Link>
    </li>
  )
}

interface FileTileProps {
  readonly file: PublicFile
  readonly visit: Visit
  readonly onOpen: (file: PublicFile) => void
}

/** A file is shown by a click; one that is encrypted is opened first. */
function FileTile({ file, visit, onOpen }: FileTileProps) {
  return (
    <li>
      <button type="button" className={`${shape.file} ${styles.tile} ${styles.file}`} onClick={() => onOpen(file)}>
        <span className={`${shape.bed} ${styles.bed}`}>
          <PublicThumbnail visit={visit} file={file} />
          {file.isEncrypted && <IconLock className={styles.lock} size={18} stroke={1.75} aria-hidden />}
        </span>
        <span className={shape.text}>
          <ItemName name={file.name} className={shape.name} />{' '}
          <span className={shape.meta}>
            {formatSize(file.size)} · {file.isEncrypted ? 'Encrypted' : formatDay(file.updatedAt)}
          </span>
        </span>
      </button>
    </li>
  )
}

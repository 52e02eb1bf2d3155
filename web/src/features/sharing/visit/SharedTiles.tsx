import type { PublicFile, PublicFolder, PublicFolderContents } from '@alcove/contract/sharing'
import { IconLock } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { PictureLabel } from '../../../items/tiles/PictureLabel.tsx'
import shape from '../../../items/tiles/tile-shape.module.css'
import { formatDay, formatSize } from '../../../lib/format.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { usePreviewAddress } from '../../../preview/use-preview-address.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { FileTypeSheet } from '../../../ui/FileTypeSheet.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { dropSecondClick } from '../../../ui/second-click.ts'
import type { Decryptor } from './EncryptedFile.tsx'
import { linkAddress, thumbnailAddress, type Visit } from './link-address.ts'
import styles from './SharedTiles.module.css'

const encryptedFileModal = lazyModule(() => import('./EncryptedFileModal.tsx'))

interface SharedTilesProps {
  readonly visit: Visit
  readonly folder: PublicFolderContents
  /** The folder that Back led from. Its tile takes the focus. */
  readonly leftId: string | undefined
  readonly onDownload: (id: string) => void
  readonly Decryptor: Decryptor
}

/** The contents of a folder as tiles. More of them are rendered as the user scrolls towards the end. */
export function SharedTiles({ visit, folder, leftId, onDownload, Decryptor }: SharedTilesProps) {
  const { subFolders, files, canPreview, canDownload } = folder
  const end = useRef<HTMLDivElement>(null)
  const count = useGrowingCount(
    end,
    subFolders.length + files.length,
    subFolders.findIndex(({ id }) => id === leftId),
  )
  const { open } = usePreviewAddress()
  const openFile = (file: PublicFile) => {
    if (!file.isEncrypted) {
      if (canPreview) open(file.id)
      else if (canDownload) onDownload(file.id)
    } else
      void openLater(encryptedFileModal, ({ openEncryptedFileModal }) =>
        openEncryptedFileModal(visit, file, canPreview, Decryptor),
      )
  }
  const shownFiles = files.slice(0, Math.max(0, count - subFolders.length))
  return (
    <>
      {subFolders.length > 0 && (
        <>
          <h2 className={styles.heading}>Folders</h2>
          <ul className={styles.folders} onClickCapture={dropSecondClick}>
            {subFolders.slice(0, count).map((inner) => (
              <FolderTile
                key={inner.id}
                folder={inner}
                address={linkAddress(visit, inner.id)}
                takesFocus={inner.id === leftId}
              />
            ))}
          </ul>
        </>
      )}
      {shownFiles.length > 0 && (
        <>
          <h2 className={styles.heading}>Files</h2>
          <ul className={styles.files} onClickCapture={dropSecondClick}>
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

interface FolderTileProps {
  readonly folder: PublicFolder
  readonly address: string
  /** Whether it takes the focus when it appears, unless the user has moved it elsewhere. */
  readonly takesFocus: boolean
}

function FolderTile({ folder, address, takesFocus }: FolderTileProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const isWanted = useRef(takesFocus)
  useEffect(() => {
    if (isWanted.current && document.activeElement === document.body) link.current?.focus({ preventScroll: true })
  }, [])
  return (
    <li>
      <Link ref={link} className={`${shape.folder} ${styles.tile}`} to={address}>
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

/** Opens the preview, or for an encrypted file the dialog that decrypts it. */
function FileTile({ file, visit, onOpen }: FileTileProps) {
  return (
    <li>
      <button
        type="button"
        className={`${shape.file} ${styles.tile} ${styles.file}`}
        data-item-id={file.id}
        onClick={() => onOpen(file)}
      >
        <span className={`${shape.bed} ${styles.bed}`}>
          <PublicThumbnail visit={visit} file={file} />
          {file.isEncrypted && <IconLock className={styles.lock} size={18} stroke={1.75} aria-hidden />}
        </span>
        <span className={shape.text}>
          <ItemName name={file.name} className={shape.name} />{' '}
          <span className={shape.meta}>
            {formatSize(file.size)} · {file.isEncrypted ? 'Encrypted' : formatDay(file.modifiedAt)}
          </span>
        </span>
      </button>
    </li>
  )
}

/** The number of tiles that are added at once: more than a screenful. */
const STEP = 240

/** Returns how many of `total` tiles to render, at first with the one at `wanted`. Adds more whenever `end` comes near the viewport. */
function useGrowingCount(end: RefObject<HTMLElement | null>, total: number, wanted: number): number {
  const [count, setCount] = useState(STEP + Math.max(0, wanted))
  const isWhole = count >= total
  useEffect(() => {
    const element = end.current
    if (!element || isWhole) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setCount(count + STEP)
      },
      { rootMargin: '1200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [end, isWhole, count])
  return count
}

interface PublicThumbnailProps {
  readonly visit: Visit
  readonly file: PublicFile
}

/** A server that is busy making thumbnails may have this one a moment later. */
const RETRY_DELAY = 3000
const MAX_TRIES = 2

/** The thumbnail of a shared file, loaded when it scrolls into view, or an icon of its type. Decorative. */
export function PublicThumbnail({ visit, file }: PublicThumbnailProps) {
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading')
  const [tries, setTries] = useState(1)
  const address = thumbnailAddress(visit, file, window.devicePixelRatio > 1 ? 512 : 256)

  function handleError() {
    setState('failed')
    if (tries >= MAX_TRIES) return
    setTimeout(() => {
      setTries(tries + 1)
      setState('loading')
    }, RETRY_DELAY)
  }

  return (
    <>
      {state !== 'drawn' && <FileTypeSheet filename={file.name} size={54} />}
      {address && state !== 'failed' && (
        <img
          key={tries}
          className={styles.picture}
          data-drawn={state === 'drawn' || undefined}
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setState('drawn')}
          onError={handleError}
        />
      )}
      {state === 'drawn' && <PictureLabel filename={file.name} />}
    </>
  )
}

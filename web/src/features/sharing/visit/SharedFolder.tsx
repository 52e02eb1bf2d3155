import type { PublicFolderContents } from '@alcove/contract/sharing'
import { VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ComponentProps, useMemo } from 'react'
import { Link } from 'react-router'
import { formatSize, plural } from '../../../lib/format.ts'
import { useLoaded } from '../../../lib/lazy-module.ts'
import { Preview } from '../../../preview/Preview.tsx'
import { VaseNiche } from '../../../ui/art/niches.tsx'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import type { Decryptor } from './EncryptedFile.tsx'
import messages from './LinkMessage.module.css'
import { downloadAddress, linkAddress, toPreviewItem, type Visit } from './link-address.ts'
import styles from './SharedFolder.module.css'
import { SharedTiles } from './SharedTiles.tsx'
import { SharedByChip, ShareFoot, useFocusedHeading, ViewOnlyChip } from './ShareFrame.tsx'
import type { FolderUploads } from './send/FolderUploads.tsx'

interface SharedFolderProps {
  readonly visit: Visit
  readonly folder: PublicFolderContents
  /** Whether the name takes the focus, or the tile of the folder that Back led from. */
  readonly takesFocus: boolean
  readonly leftId: string | undefined
  readonly onDownload: (id: string) => void
  readonly Decryptor: Decryptor
}

/** Shows a shared folder, or one inside it: its contents, and a download of everything as a ZIP. */
export function SharedFolder(props: SharedFolderProps) {
  const { folder, takesFocus, leftId, onDownload, Decryptor } = props
  const { token, access } = props.visit
  const hasLeftTile = folder.subFolders.some(({ id }) => id === leftId)
  const heading = useFocusedHeading(takesFocus && !hasLeftTile)
  const visit = useMemo(() => ({ token, access }), [token, access])
  const items = useMemo(() => folder.files.map((file) => toPreviewItem(visit, file)), [visit, folder.files])
  const actions = useMemo(
    () => (folder.canDownload ? { download: ({ id }: { readonly id: string }) => onDownload(id) } : {}),
    [onDownload, folder.canDownload],
  )
  const details = describeContents(folder)
  const isEmpty = folder.subFolders.length + folder.files.length === 0
  return (
    <>
      <div className={styles.top}>
        <div className={styles.what}>
          <div className={styles.chips}>
            <SharedByChip sharedBy={folder.sharedBy} />
            {!folder.canDownload && <ViewOnlyChip />}
          </div>
          <h1 ref={heading} className={styles.name} tabIndex={-1}>
            <bdi dir="auto">{folder.name}</bdi>
          </h1>
          <p className={styles.details}>{details}</p>
        </div>
        {folder.canDownload && (
          <DownloadButton size="lg" href={downloadAddress(visit, folder.id)} onDownload={() => onDownload(folder.id)}>
            Download as ZIP
          </DownloadButton>
        )}
      </div>
      {folder.upload && folder.path.length === 0 && <LazyUploads visit={visit} request={folder.upload} />}
      <LinkPath visit={visit} folder={folder} />
      <VisuallyHidden role="status">{`${folder.name}: ${details}`}</VisuallyHidden>
      {isEmpty ? (
        <div className={messages.message}>
          <VaseNiche className={messages.art} />
          <h2 className={messages.title}>An empty shelf</h2>
        </div>
      ) : (
        <SharedTiles {...{ visit, folder, leftId, onDownload, Decryptor }} />
      )}
      <div className={styles.foot}>
        <ShareFoot />
      </div>
      {folder.canPreview && <Preview items={items} actions={actions} />}
    </>
  )
}

/** Loads what sends files only for folders that accept some. */
function LazyUploads(props: ComponentProps<typeof FolderUploads>) {
  const part = useLoaded(
    () => import('./send/FolderUploads.tsx'),
    () => notifyError('Adding files isn’t possible right now. Check your connection, then reload the page.'),
  )
  return part && <part.FolderUploads {...props} />
}

/** Describes everything in the folder, at any depth, which is what the ZIP contains. */
function describeContents({ contents, isEncrypted }: PublicFolderContents): string {
  const { folders, files, size } = contents
  const parts = [
    ...(folders > 0 ? [plural(folders, 'folder')] : []),
    ...(files > 0 ? [plural(files, 'file'), formatSize(size)] : []),
    ...(isEncrypted ? ['encrypted'] : []),
  ]
  return parts.join(', ') || 'Empty'
}

interface LinkPathProps {
  readonly visit: Visit
  readonly folder: PublicFolderContents
}

/** Breadcrumbs from the shared item to the current folder. */
function LinkPath({ visit, folder }: LinkPathProps) {
  if (folder.path.length === 0) return null
  return (
    <nav aria-label="Folder path">
      <ol className={styles.steps}>
        {folder.path.map((step, index) => (
          <li key={step.id} className={styles.step}>
            <Link className={styles.crumb} to={linkAddress(visit, index === 0 ? undefined : step.id)}>
              <bdi dir="auto">{step.name}</bdi>
            </Link>
            <IconChevronRight className={styles.chevron} size={16} stroke={1.75} aria-hidden />
          </li>
        ))}
        <li className={styles.step}>
          <strong className={styles.crumb} aria-current="page">
            <bdi dir="auto">{folder.name}</bdi>
          </strong>
        </li>
      </ol>
    </nav>
  )
}

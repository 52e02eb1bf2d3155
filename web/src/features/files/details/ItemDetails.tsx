import { getItem } from '@alcove/contract/item-calls'
import type { File, Item } from '@alcove/contract/items'
import { listVersions } from '@alcove/contract/versions'
import { Anchor, Button, Skeleton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import type { ItemActions } from '../../../items/item-actions.ts'
import { contentSizeOf, modifiedOf } from '../../../items/lists/describe-item.ts'
import { isMount } from '../../../items/mounts.ts'
import { Thumbnail } from '../../../items/tiles/Thumbnail.tsx'
import { copyText } from '../../../lib/copy-text.ts'
import { describeFileType } from '../../../lib/file-type-words.ts'
import { formatCount, formatMoment, formatSize, plural } from '../../../lib/format.ts'
import { noteOnBlanks, noteOnTwin } from '../../../lib/name-notes.ts'
import { afterDialogs } from '../../../ui/dialogs/open-layers.ts'
import { FileTypeSheet } from '../../../ui/FileTypeSheet.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { driveHome, type FolderHome, sharedHome, vaultHome } from '../folder-address.ts'
import { DetailsLink } from './DetailsLink.tsx'
import styles from './DetailsPane.module.css'
import { hideSheet } from './details-state.ts'
import { LockDetails } from './LockDetails.tsx'

/** How often the item is refetched until its digest has been computed, in milliseconds. */
const DIGEST_EVERY = 5000

const DAMAGED =
  'The stored bytes of this file are damaged or missing, so it may not open. Upload the file again, restore an earlier version, or ask the administrator for it from a backup.'

interface ItemDetailsProps {
  readonly item: Item
  /** Shows the earlier versions of a file. */
  readonly onHistory: ItemActions['history']
}

/** The details of one file or folder. */
export function ItemDetails({ item: known, onHistory }: ItemDetailsProps) {
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.item(known.id),
    queryFn: ({ signal }) => send(getItem, { id: known.id }, { signal }),
    refetchInterval: ({ state }) => (isWaiting(state.data) ? DIGEST_EVERY : false),
  })
  const item = data?.item ?? known
  const { sharedBy } = item
  const notes = [
    item.type === 'file' && item.isDamaged ? DAMAGED : undefined,
    data?.caseTwin && noteOnTwin(data.caseTwin),
    noteOnBlanks(item.name),
  ].filter(Boolean)
  return (
    <>
      <div className={styles.picture}>
        {item.type === 'folder' ? (
          <FolderGlyph size={84} isVault={item.isEncrypted} />
        ) : (
          <Thumbnail file={item} fallback={<FileTypeSheet filename={item.name} size={72} />} />
        )}
      </div>
      <h3 className={styles.name}>
        <bdi dir="auto">{item.name}</bdi>
      </h3>
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      <LockDetails item={item} />
      <dl className={styles.details}>
        <Detail name="Kind">{item.type === 'folder' ? 'Folder' : describeFileType(item.name)}</Detail>
        {item.type === 'file' ? (
          <Detail name="Size">
            {formatSize(contentSizeOf(item))}{' '}
            <span className={styles.exact}>({plural(contentSizeOf(item), 'byte')})</span>
          </Detail>
        ) : (
          <>
            <Detail name="Contains" isLoading={!data && !isError}>
              {data && plural(data.itemCount, 'item')}
            </Detail>
            <Detail name="Total size" isLoading={!data && !isError}>
              {data && formatSize(data.totalSize)}
            </Detail>
          </>
        )}
        <Detail name="Modified">{formatMoment(modifiedOf(item))}</Detail>
        <Detail name={item.type === 'file' ? 'Uploaded' : 'Created'}>{formatMoment(item.createdAt)}</Detail>
        <Detail name="Location" isLoading={!data && !isError}>
          {data && (
            <Place
              item={item}
              path={data.path}
              home={sharedBy ? sharedHome(false) : item.isEncrypted ? vaultHome : driveHome}
            />
          )}
        </Detail>
        {item.type === 'file' && onHistory && <VersionsDetail file={item} onHistory={onHistory} />}
        {item.type === 'folder' && !item.isEncrypted && !isMount(item) && (
          <Detail name="Activity">
            <DetailsLink to={`/activity?folder=${item.id}`}>Show activity</DetailsLink>
          </Detail>
        )}
        {isMount(item) ? (
          <Detail name="Owner">
            <bdi dir="auto">{item.mount.owner.displayName ?? item.mount.owner.email}</bdi>
          </Detail>
        ) : sharedBy ? (
          <Detail name="Shared by">
            <bdi>{sharedBy.displayName ?? sharedBy.email}</bdi>
          </Detail>
        ) : (
          <Detail name="Public link">{item.isShared ? 'Enabled' : 'Off'}</Detail>
        )}
        {item.type === 'file' && (
          <ChecksumDetail isLoading={!data && !isError} isEncrypted={item.isEncrypted} digest={data?.sha256} />
        )}
      </dl>
      {isError && !data && (
        <div className={styles.problem} role="alert">
          Couldn't load the details.
          <Button size="xs" variant="default" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
    </>
  )
}

function isWaiting(data: { item: Item; sha256: string | null } | undefined): boolean {
  return data?.item.type === 'file' && data.sha256 === null
}

interface PlaceProps {
  readonly item: Item
  /** The folders around it, the outermost first. */
  readonly path: readonly { id: string; name: string }[]
  readonly home: FolderHome
}

/** Links to the folders around an item. There, what leads to it has the focus. */
function Place({ item, path, home }: PlaceProps) {
  return [{ id: undefined, name: home.name }, ...path].map(({ id, name }, index) => (
    <span key={id ?? home.name}>
      {index > 0 && <span aria-hidden> / </span>}
      <DetailsLink to={home.addressOf(id)} arrivalId={path[index]?.id ?? item.id}>
        <bdi dir="auto">{name}</bdi>
      </DetailsLink>
    </span>
  ))
}

interface VersionsDetailProps {
  readonly file: File
  readonly onHistory: (file: File) => void
}

/** The number of earlier versions of a file. Renders nothing if there are none. */
function VersionsDetail({ file, onHistory }: VersionsDetailProps) {
  const { id, updatedAt } = file
  const { data } = useQuery({
    // Replacing the file changes its date, and so makes this another query.
    queryKey: [...queryKeys.versionsOf(id), 'count', updatedAt],
    queryFn: ({ signal }) => send(listVersions, { id, limit: 1 }, { signal }),
  })
  if (!data || data.total === 0) return null

  function show() {
    // The history doesn't open over the sheet, so that closing it returns the focus to the list.
    hideSheet()
    afterDialogs(() => onHistory(file))
  }

  return (
    <Detail name="Earlier versions">
      {formatCount(data.total)}
      {' · '}
      <Anchor component="button" type="button" inherit onClick={show}>
        Show history
      </Anchor>
    </Detail>
  )
}

interface ChecksumDetailProps {
  readonly isLoading: boolean
  /** Whether the file is encrypted. Then the digest is that of the stored bytes. */
  readonly isEncrypted: boolean
  /** null until it has been computed. */
  readonly digest: string | null | undefined
}

/** The SHA-256 of a file, for comparing files and checking downloads. */
function ChecksumDetail({ isLoading, isEncrypted, digest }: ChecksumDetailProps) {
  const [copied, setCopied] = useState<string>()
  const name = isEncrypted ? 'SHA-256 of the encrypted file' : 'SHA-256'
  if (!digest) {
    return (
      <Detail name={name} isLoading={isLoading}>
        {digest === null ? 'Computing…' : undefined}
      </Detail>
    )
  }
  const isCopied = copied === digest
  return (
    <Detail name={name}>
      <span className={styles.digest}>
        <code>{digest}</code>
        <IconButton
          label={isCopied ? 'Copied' : 'Copy the SHA-256'}
          onClick={() => void copyText(digest, null).then((isDone) => isDone && setCopied(digest))}
        >
          {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
        </IconButton>
      </span>
    </Detail>
  )
}

interface DetailProps {
  readonly name: string
  readonly isLoading?: boolean
  readonly children?: ReactNode
}

/** One line of the details. Renders nothing without content. */
export function Detail({ name, isLoading = false, children }: DetailProps) {
  if (!isLoading && (children === undefined || children === null)) return null
  return (
    <div className={styles.detail}>
      <dt>{name}</dt>
      <dd>{isLoading ? <Skeleton height={12} width="60%" my={4} /> : children}</dd>
    </div>
  )
}

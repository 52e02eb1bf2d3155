import type { Item } from '@alcove/contract/items'
import type { PublicLink } from '@alcove/contract/sharing'
import { Checkbox, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { usePendingValue } from '../../api/use-pending-value.ts'
import { Thumbnail } from '../../items/tiles/Thumbnail.tsx'
import { formatCount, formatDay, formatMoment, formatSize } from '../../lib/format.ts'
import { openDialog } from '../../ui/dialogs/open-dialog.tsx'
import { FileTypeSheet } from '../../ui/FileTypeSheet.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import disclosureStyles from './Disclosure.module.css'
import { isExpired } from './expiry.ts'
import { LinkField } from './LinkField.tsx'
import { LinkOptions } from './LinkOptions.tsx'
import { openItemLinks } from './links/ItemLinksModal.tsx'
import { useItemLinks } from './links/queries.ts'
import styles from './PublicLinkModal.module.css'
import { usePublicLink, useUpdatePublicLink } from './queries.ts'

/** Opens the dialog that enables, copies and protects the public link of an item. `more` is shown for an enabled link. */
export function openPublicLinkModal(item: Item, more?: (link: string) => ReactNode): void {
  openDialog({ title: 'Public Link', size: 556, children: <PublicLinkContent item={item} more={more} /> })
}

interface PublicLinkContentProps {
  readonly item: Item
  readonly more?: (link: string) => ReactNode
}

function PublicLinkContent({ item, more }: PublicLinkContentProps) {
  const { data, isError, isFetching, refetch } = usePublicLink(item)
  return (
    <div className={styles.content}>
      <LinkedItemCard item={item} />
      {data && <PublicLinkForm item={item} link={data} />}
      {data?.enabled && more?.(data.link)}
      {data && <MoreLinksButton item={item} />}
      {item.type === 'folder' && item.isEncrypted && (
        <p className={styles.note}>
          Nobody else can change this folder: to add files or read them, people would need your passphrase.
        </p>
      )}
      {!data && isError && (
        <LoadError text="Could not retrieve public link." isBusy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <LinkSkeleton />}
    </div>
  )
}

/** Leads to the other links of the item. */
function MoreLinksButton({ item }: { readonly item: Item }) {
  const { data } = useItemLinks(item)
  const count = data?.filter(({ isFirst }) => !isFirst).length ?? 0
  return (
    <UnstyledButton
      className={disclosureStyles.summary}
      aria-haspopup="dialog"
      data-opener="more links"
      onClick={() => openItemLinks(item)}
    >
      <IconChevronRight size={18} stroke={1.75} aria-hidden />
      More links{count > 0 && ` (${formatCount(count)})`}
    </UnstyledButton>
  )
}

function LinkSkeleton() {
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={40} width="70%" />
      <Skeleton height={42} />
      <Skeleton height={20} width={90} />
    </>
  )
}

interface PublicLinkFormProps {
  readonly item: Item
  readonly link: PublicLink
}

function PublicLinkForm({ item, link: stored }: PublicLinkFormProps) {
  const { mutateAsync } = useUpdatePublicLink(item)
  // The mutation itself reports a failure.
  const update = (change: Parameters<typeof mutateAsync>[0]) => mutateAsync(change).catch(() => undefined)
  const [enabled, showEnabled] = usePendingValue(stored.enabled)
  const link = { ...stored, enabled }
  const hint = useId()

  return (
    <>
      <div>
        <Checkbox
          label="Enabled"
          classNames={{ label: styles.enabled }}
          checked={enabled}
          aria-describedby={hint}
          onChange={({ currentTarget: { checked } }) => showEnabled(checked, update({ enabled: checked }))}
        />
        <p id={hint} className={styles.hint}>
          {describeAccess(item, link)}
        </p>
      </div>
      <LinkField link={link.link} isOff={!link.enabled} />
      <LinkOptions link={link} onChange={(change) => update({ enabled, ...change })} />
    </>
  )
}

/** Returns who can do what with the link. */
function describeAccess(item: Item, { enabled, hasPassword, expiresAt }: PublicLink): string {
  if (!enabled) return 'Nobody can open this link until you enable it.'
  if (expiresAt && isExpired(expiresAt)) return `This link expired on ${formatMoment(expiresAt)}.`
  const who = hasPassword ? 'Anyone with the link and the password' : 'Anyone with the link'
  const until = expiresAt ? ` until ${formatMoment(expiresAt)}` : ''
  if (item.type === 'file' && item.isEncrypted) {
    return `${who} can download this file${until}. It stays encrypted: opening it needs your passphrase.`
  }
  return `${who} can view and download this ${item.type}${until}.`
}

/** The item that the link shares. */
function LinkedItemCard({ item }: { readonly item: Item }) {
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

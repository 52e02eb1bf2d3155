import type { SharedItem } from '@alcove/contract/sharing'
import { IconCopy, IconLink, IconLinkOff, IconLock, IconSettings, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { ownIdOf } from '../../../api/vault-root.ts'
import { parentOf } from '../../../items/lists/item-lists.ts'
import { formatCount, formatDay, formatMoment, plural } from '../../../lib/format.ts'
import { FileTypeSquare } from '../../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { isExpired } from '../expiry.ts'
import { copyLink } from '../links/copy-link.ts'
import { LinkStateBadge } from '../links/LinkStateBadge.tsx'
import { canDownload, canUpload, countersOf, nameOfLink, nameOfRight } from '../links/link-texts.ts'
import styles from './SharedLinkRow.module.css'

interface SharedLinkRowProps {
  readonly shared: SharedItem
  readonly onSettings: (shared: SharedItem) => void
  readonly onEnable: (shared: SharedItem) => void
  readonly onDisable: (shared: SharedItem) => void
  readonly onDelete: (shared: SharedItem) => void
}

export const SharedLinkRow = memo(function SharedLinkRow(props: SharedLinkRowProps) {
  const { shared, onSettings, onEnable, onDisable, onDelete } = props
  const { item, path, expiresAt, hasPassword, enabled, isFirst, state, right } = shared
  const name = nameOfLink(shared)
  const hasExpired = expiresAt !== null && isExpired(expiresAt)
  const which = isFirst ? `link of ${item.name}` : `link “${name}” of ${item.name}`
  return (
    <li className={styles.row} data-off={state !== 'active' || undefined}>
      {item.type === 'file' ? (
        <FileTypeSquare filename={item.name} />
      ) : (
        <span className={styles.folder}>
          <FolderGlyph size={32} isVault={item.isEncrypted} />
        </span>
      )}
      <div className={styles.what}>
        <div className={styles.title}>
          <ItemName name={item.name} className={styles.name} />
          <LinkStateBadge state={state} />
          {hasPassword && (
            <IconLock className={styles.lock} size={16} stroke={1.75} role="img" aria-label="Protected by a password" />
          )}
        </div>
        {!isFirst && (
          <p className={styles.label}>
            {name !== nameOfRight(right) && (
              <>
                <bdi dir="auto">{name}</bdi> ·{' '}
              </>
            )}
            {nameOfRight(right)}
          </p>
        )}
        <Link className={styles.path} to={folderAddressOf(shared)} title={path}>
          <bdi dir="auto">{folderOf(shared)}</bdi>
        </Link>
      </div>
      <dl className={styles.details}>
        <div>
          <dt>Shared</dt>
          <dd>{formatDay(shared.sharedAt)}</dd>
        </div>
        <div>
          <dt>{hasExpired ? 'Expired' : 'Expires'}</dt>
          <dd title={expiresAt ? formatMoment(expiresAt) : undefined}>{expiresAt ? formatDay(expiresAt) : 'Never'}</dd>
        </div>
        <div>
          <dt>Downloads</dt>
          <dd>{canDownload(right) ? ofLimit(shared.downloadCount, shared.maxDownloads) : '–'}</dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>{canUpload(right) ? ofLimit(shared.receivedFiles, shared.maxFiles, 'file') : '–'}</dd>
        </div>
      </dl>
      <p className={styles.line}>
        Shared {formatDay(shared.sharedAt)}
        {expiresAt && `, ${hasExpired ? 'expired' : 'expires'} ${formatDay(expiresAt)}`}
        {countersOf(shared).map((counter) => `, ${counter}`)}
      </p>
      <div className={styles.actions}>
        <IconButton label={`Copy ${which}`} onClick={() => void copyLink(shared.link)}>
          <IconCopy size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`Settings of the ${which}`} onClick={() => onSettings(shared)}>
          <IconSettings size={18} stroke={1.75} />
        </IconButton>
        {enabled ? (
          <IconButton label={`Disable ${which}`} onClick={() => onDisable(shared)}>
            <IconLinkOff size={18} stroke={1.75} />
          </IconButton>
        ) : (
          <IconButton label={`Enable ${which}`} onClick={() => onEnable(shared)}>
            <IconLink size={18} stroke={1.75} />
          </IconButton>
        )}
        {isFirst ? (
          <span className={styles.none} />
        ) : (
          <IconButton label={`Delete ${which}`} onClick={() => onDelete(shared)}>
            <IconTrash size={18} stroke={1.75} />
          </IconButton>
        )}
      </div>
    </li>
  )
})

function ofLimit(count: number, limit: number | null, noun?: string): string {
  if (limit !== null) return `${formatCount(count)} of ${formatCount(limit)}`
  return noun ? plural(count, noun) : formatCount(count)
}

/** Returns the path of the item's folder. */
function folderOf({ path, item, isEncrypted }: SharedItem): string {
  const folder = path.slice(0, -(item.name.length + 1))
  return `${isEncrypted ? 'Vault' : 'Root'}${folder}`
}

function folderAddressOf({ item, isEncrypted }: SharedItem): string {
  const parent = ownIdOf(parentOf(item))
  return `${isEncrypted ? '/vault' : '/profile'}${parent ? `?folder=${parent}` : ''}`
}

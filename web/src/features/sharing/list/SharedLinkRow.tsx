import type { Item } from '@alcove/contract/items'
import type { SharedItem } from '@alcove/contract/sharing'
import { IconCopy, IconLinkOff, IconLock, IconSettings } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { ownIdOf } from '../../../api/vault-root.ts'
import { parentOf } from '../../../items/lists/item-lists.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { formatDay, formatMoment, plural } from '../../../lib/format.ts'
import { FileTypeSquare } from '../../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { isExpired } from '../expiry.ts'
import styles from './SharedLinkRow.module.css'

interface SharedLinkRowProps {
  readonly shared: SharedItem
  readonly onSettings: (item: Item) => void
  readonly onDisable: (shared: SharedItem) => void
}

export const SharedLinkRow = memo(function SharedLinkRow({ shared, onSettings, onDisable }: SharedLinkRowProps) {
  const { item, path, expiresAt, hasPassword } = shared
  const hasExpired = expiresAt !== null && isExpired(expiresAt)
  return (
    <li className={styles.row} data-expired={hasExpired || undefined}>
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
          {hasExpired && <span className={styles.badge}>Expired</span>}
          {hasPassword && (
            <IconLock className={styles.lock} size={16} stroke={1.75} role="img" aria-label="Protected by a password" />
          )}
        </div>
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
          <dd>{shared.downloadCount}</dd>
        </div>
      </dl>
      <p className={styles.line}>
        Shared {formatDay(shared.sharedAt)}
        {expiresAt && `, ${hasExpired ? 'expired' : 'expires'} ${formatDay(expiresAt)}`},{' '}
        {plural(shared.downloadCount, 'download')}
      </p>
      <div className={styles.actions}>
        <IconButton label={`Copy link of ${item.name}`} onClick={() => void copy(shared.link)}>
          <IconCopy size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`Settings of the link of ${item.name}`} onClick={() => onSettings(item)}>
          <IconSettings size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`Disable link of ${item.name}`} onClick={() => onDisable(shared)}>
          <IconLinkOff size={18} stroke={1.75} />
        </IconButton>
      </div>
    </li>
  )
})

async function copy(link: string): Promise<void> {
  if (await copyText(link)) notifySuccess('Link copied!')
  else notifyError('This browser doesn’t allow copying. Open the settings of the link and copy it from there.')
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

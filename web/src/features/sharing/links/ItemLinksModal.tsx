import type { Item } from '@alcove/contract/items'
import type { Link } from '@alcove/contract/links'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconCopy, IconLock, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { sentenceOf } from '../../../api/api.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { confirmDeletion } from './confirm-deletion.ts'
import { copyLink } from './copy-link.ts'
import styles from './ItemLinksModal.module.css'
import { openLinkForm } from './LinkFormModal.tsx'
import { LinkStateBadge } from './LinkStateBadge.tsx'
import { countersOf, describeExpiry, nameOfLink, nameOfRight } from './link-texts.ts'
import { useDeleteLink, useItemLinks } from './queries.ts'

/** Opens the dialog with the links of an item besides the first one. */
export function openItemLinks(item: Item): void {
  openDialog({ title: 'More links', size: 556, children: <ItemLinks item={item} /> })
}

function ItemLinks({ item }: { readonly item: Item }) {
  const { data, isError, isFetching, refetch } = useItemLinks(item)
  const { mutate: remove } = useDeleteLink(item)
  const links = data?.filter(({ isFirst }) => !isFirst)

  async function askAndDelete(link: Link) {
    if (!(await confirmDeletion(link))) return
    remove(link, {
      onSuccess: () => notifySuccess('Link deleted.'),
      onError: (error) => notifyError(sentenceOf(error) ?? 'Failed to delete the link.'),
    })
  }

  return (
    <div className={styles.content}>
      <p className={styles.intro}>
        Each link has its own password, expiry and limits, and you can delete it without the others.
      </p>
      {!links && isError && (
        <LoadError text="Unable to fetch the links." isBusy={isFetching} onRetry={() => void refetch()} />
      )}
      {!links && !isError && (
        <>
          <VisuallyHidden role="status">Loading...</VisuallyHidden>
          <Skeleton height={58} radius={12} />
        </>
      )}
      {links && links.length > 0 && (
        <ul className={styles.list}>
          {links.map((link) => (
            <LinkRow key={link.id} item={item} link={link} onDelete={() => void askAndDelete(link)} />
          ))}
        </ul>
      )}
      <Button
        className={styles.new}
        variant={links?.length === 0 ? 'filled' : 'default'}
        leftSection={<IconPlus size={18} stroke={1.75} />}
        data-opener="new link"
        onClick={() => openLinkForm(item)}
      >
        New link
      </Button>
    </div>
  )
}

interface LinkRowProps {
  readonly item: Item
  readonly link: Link
  readonly onDelete: () => void
}

function LinkRow({ item, link, onDelete }: LinkRowProps) {
  const name = nameOfLink(link)
  const details = [
    ...(name === nameOfRight(link.right) ? [] : [nameOfRight(link.right)]),
    ...countersOf(link),
    ...[describeExpiry(link.expiresAt) ?? []].flat(),
  ]
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.title}>
          <bdi className={styles.name} dir="auto">
            {name}
          </bdi>
          <LinkStateBadge state={link.state} />
          {link.hasPassword && (
            <IconLock className={styles.lock} size={16} stroke={1.75} role="img" aria-label="Protected by a password" />
          )}
        </div>
        <p className={styles.details}>{details.join(' · ')}</p>
      </div>
      <div className={styles.actions}>
        <IconButton label={`Copy link “${name}”`} onClick={() => void copyLink(link.link)}>
          <IconCopy size={18} stroke={1.75} />
        </IconButton>
        <IconButton
          label={`Edit link “${name}”`}
          data-opener={`edit ${link.id}`}
          onClick={() => openLinkForm(item, link)}
        >
          <IconPencil size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`Delete link “${name}”`} data-opener={`delete ${link.id}`} onClick={onDelete}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </div>
    </li>
  )
}

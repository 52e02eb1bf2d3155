import type { Link } from '@alcove/contract/links'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useEffect, useRef, useState } from 'react'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { LinkField } from '../LinkField.tsx'
import { LinkForm } from './LinkForm.tsx'
import styles from './LinkFormModal.module.css'
import type { LinkTarget } from './link-texts.ts'
import { ShareButton } from './ShareButton.tsx'

/** Opens the dialog that creates a link of an item, or changes `link`. */
export function openLinkForm(item: LinkTarget, link?: Link): void {
  const modalId = openDialog({
    title: link ? 'Edit link' : 'New link',
    size: 520,
    children: (
      <LinkSteps
        item={item}
        link={link}
        onCreated={() => modals.updateModal({ modalId, title: 'Link created' })}
        onClose={() => modals.close(modalId)}
      />
    ),
  })
}

interface LinkStepsProps {
  readonly item: LinkTarget
  readonly link: Link | undefined
  readonly onCreated: () => void
  readonly onClose: () => void
}

function LinkSteps({ item, link, onCreated, onClose }: LinkStepsProps) {
  const [created, setCreated] = useState<Link>()
  if (created) return <CreatedLink link={created} onClose={onClose} />

  function finish(saved: Link) {
    if (!link) {
      setCreated(saved)
      return onCreated()
    }
    notifySuccess('Link saved.')
    onClose()
  }

  return <LinkForm item={item} link={link} onSaved={finish} onClose={onClose} />
}

interface CreatedLinkProps {
  readonly link: Link
  /** What the owner needs to know about the link. */
  readonly text?: string
  /** Opens the settings of the link. */
  readonly onEdit?: () => void
  readonly onClose: () => void
}

/** Shows a new link, to copy or share it. */
export function CreatedLink({
  link,
  text = 'Send this link to the people it is for.',
  onEdit,
  onClose,
}: CreatedLinkProps) {
  const words = useRef<HTMLParagraphElement>(null)
  useEffect(() => words.current?.focus(), [])
  return (
    <div className={styles.created}>
      <p ref={words} className={styles.text} tabIndex={-1}>
        {text}
      </p>
      <LinkField link={link.link} />
      <Group justify="flex-end" gap="xs">
        {onEdit && (
          <Button variant="subtle" onClick={onEdit}>
            Settings
          </Button>
        )}
        <ShareButton link={link.link} title={link.title ?? undefined} />
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </div>
  )
}

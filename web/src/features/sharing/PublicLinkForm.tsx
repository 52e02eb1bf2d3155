import type { Item } from '@alcove/contract/items'
import type { PublicLink } from '@alcove/contract/sharing'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { formatMoment } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../ui/notify.tsx'
import { LinkOptions } from './LinkOptions.tsx'
import styles from './PublicLinkModal.module.css'
import { useUpdatePublicLink } from './queries.ts'

interface PublicLinkFormProps {
  readonly item: Item
  readonly link: PublicLink
}

export function PublicLinkForm({ item, link }: PublicLinkFormProps) {
  const { mutateAsync } = useUpdatePublicLink(item)
  // What goes wrong has been told; the box shows what is.
  const update = (change: Parameters<typeof mutateAsync>[0]) => mutateAsync(change).catch(() => undefined)
  const field = useRef<HTMLInputElement>(null)
  const hint = useId()

  async function copy() {
    if (await copyText(link.link, field.current)) notifySuccess('Link copied!')
    else notifyError('This browser does not let the page copy. The link is selected: copy it from there.')
  }

  return (
    <>
      <div>
        <Checkbox
          label="Enabled"
          classNames={{ label: styles.enabled }}
          checked={link.enabled}
          aria-describedby={hint}
          onChange={(event) => void update({ enabled: event.currentTarget.checked })}
        />
        <p id={hint} className={styles.hint}>
          {describe(item, link)}
        </p>
      </div>
      <div className={styles.link}>
        <TextInput
          ref={field}
          className={styles.field}
          aria-label="Public link"
          value={link.link}
          readOnly
          dir="ltr"
          data-off={!link.enabled || undefined}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button leftSection={<IconCopy size={18} stroke={1.75} />} onClick={() => void copy()}>
          Copy Link
        </Button>
      </div>
      <LinkOptions link={link} onChange={(change) => update({ enabled: link.enabled, ...change })} />
    </>
  )
}

/** Who can do what by the link as it is. */
function describe(item: Item, { enabled, hasPassword, expiresAt }: PublicLink): string {
  if (!enabled) return 'Nobody can open this link until you enable it.'
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return `This link expired on ${formatMoment(expiresAt)}.`
  const who = hasPassword ? 'Anyone with the link and the password' : 'Anyone with the link'
  const until = expiresAt ? ` until ${formatMoment(expiresAt)}` : ''
  if (item.type === 'file' && item.isEncrypted) {
    return `${who} can download this file${until}. It stays encrypted: reading it takes your passphrase.`
  }
  return `${who} can view and download this ${item.type}${until}.`
}

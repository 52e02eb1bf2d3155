import type { Item } from '@alcove/contract/items'
import type { PublicLink } from '@alcove/contract/sharing'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { startTransition, useId, useOptimistic, useRef } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { formatMoment } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'
import { LinkOptions } from './LinkOptions.tsx'
import styles from './PublicLinkModal.module.css'
import { useUpdatePublicLink } from './queries.ts'

interface PublicLinkFormProps {
  readonly item: Item
  readonly link: PublicLink
}

export function PublicLinkForm({ item, link: stored }: PublicLinkFormProps) {
  const { mutateAsync } = useUpdatePublicLink(item)
  // The mutation itself reports a failure.
  const update = (change: Parameters<typeof mutateAsync>[0]) => mutateAsync(change).catch(() => undefined)
  // The query cache notifies its readers in a later task. Until then React would untick the box again.
  const [enabled, showEnabled] = useOptimistic(stored.enabled)
  const link = { ...stored, enabled }
  const field = useRef<HTMLInputElement>(null)
  const hint = useId()

  function toggle(isTicked: boolean) {
    startTransition(async () => {
      showEnabled(isTicked)
      await update({ enabled: isTicked })
    })
  }

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
          checked={enabled}
          aria-describedby={hint}
          onChange={(event) => toggle(event.currentTarget.checked)}
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
      <LinkOptions link={link} onChange={(change) => update({ enabled, ...change })} />
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

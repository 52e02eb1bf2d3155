import type { File } from '@alcove/contract/items'
import { Button, TextInput } from '@mantine/core'
import { IconCopy, IconKey } from '@tabler/icons-react'
import { useRef } from 'react'
import { copyText } from '../../../lib/copy-text.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from './KeyLinkSection.module.css'
import { makeLinkKey, useLinkKey } from './link-keys.ts'

interface KeyLinkSectionProps {
  readonly file: File
  /** The public link, without a key. */
  readonly link: string
}

/** Offers a link that opens a file of the vault by itself: the key of this one file stands behind its `#`. */
export function KeyLinkSection({ file, link }: KeyLinkSectionProps) {
  const made = useLinkKey(file)
  const key = made && made !== 'deriving' ? made.key : undefined
  const field = useRef<HTMLInputElement>(null)

  async function copy() {
    if (await copyText(`${link}#key=${key}`, field.current)) notifySuccess('Link copied!')
    else notifyError('This browser does not let the page copy. The link is selected: copy it from there.')
  }

  return (
    <section className={styles.section} aria-label="Link with the key">
      <p className={styles.text}>
        {key
          ? 'Whoever has this link can read the file without your passphrase, and no other file. The key stands behind the #, which browsers never send.'
          : 'To share what is in the file, and not only its encrypted bytes, give a link that carries the key of this one file.'}
      </p>
      {key ? (
        <div className={styles.link}>
          <TextInput
            ref={field}
            className={styles.field}
            aria-label="Public link with the key"
            value={`${link}#key=${key}`}
            readOnly
            dir="ltr"
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button leftSection={<IconCopy size={18} stroke={1.75} />} onClick={() => void copy()}>
            Copy Link With Key
          </Button>
        </div>
      ) : (
        <Button
          variant="default"
          loading={made === 'deriving'}
          leftSection={<IconKey size={18} stroke={1.75} />}
          onClick={() => void makeLinkKey(file)}
        >
          Make a Link With the Key
        </Button>
      )}
    </section>
  )
}

import type { File, Item } from '@alcove/contract/items'
import { Button, TextInput } from '@mantine/core'
import { IconCopy, IconKey } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { findFileAddress } from '../../../api/file-address.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { exportKey, openEnvelope } from '../crypto/index.ts'
import { notifyFailure } from '../failure-message.ts'
import { keyOf, openFile } from '../opened-files.ts'
import { needPassphrase, subscribeToPassphrase } from '../passphrase/passphrase.ts'
import styles from './key-link.module.css'

/** Returns the addition to the dialog of a public link for a file of the vault; undefined for other items. */
export function keyLinkFor(item: Item): ((link: string) => ReactNode) | undefined {
  if (item.type === 'folder' || !item.isEncrypted) return undefined
  return (link) => <KeyLinkSection file={item} link={link} />
}

interface KeyLinkSectionProps {
  readonly file: File
  /** The public link, without a key. */
  readonly link: string
}

/** Creates a link that opens a file of the vault by itself: its fragment contains the key of this one file. */
function KeyLinkSection({ file, link }: KeyLinkSectionProps) {
  const made = useStore(keys, (all) => all.get(keyOf(file)))
  const key = made && made !== 'deriving' ? made.key : undefined
  const field = useRef<HTMLInputElement>(null)

  async function copy() {
    if (await copyText(`${link}#key=${key}`, field.current)) notifySuccess('Link copied!')
    else notifyError('This browser doesn’t allow copying. The link is selected: copy it from there.')
  }

  return (
    <section className={styles.section} aria-label="Link with the key">
      <p className={styles.text}>
        {key
          ? 'Anyone with this link can open this file, but no other, without your passphrase. The key is the part after the #, which browsers never send to the server.'
          : 'To share the content of the file, not only its encrypted bytes, create a link that contains the key of this one file.'}
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
        <BusyButton
          variant="default"
          loading={made === 'deriving'}
          leftSection={<IconKey size={18} stroke={1.75} />}
          onClick={() => void makeLinkKey(file)}
        >
          Create a Link With the Key
        </BusyButton>
      )}
    </section>
  )
}

/** The key of a file for its link, or that it is being derived. */
type LinkKey = 'deriving' | { readonly key: string }

/** By the bytes of the file. Not part of the dialog, which is hidden while the dialog for the passphrase is open. */
const keys = createStore<ReadonlyMap<string, LinkKey>>(new Map())

/** Derives the key of a file. Asks for the passphrase if it isn't entered yet. */
async function makeLinkKey(file: File): Promise<void> {
  const passphrase = await needPassphrase()
  if (passphrase === undefined || keys.get().has(keyOf(file))) return
  setKey(file, 'deriving')
  try {
    setKey(file, { key: await exportFileKey(file, passphrase) })
  } catch (error) {
    setKey(file, undefined)
    notifyFailure(error)
  }
}

function setKey(file: File, key: LinkKey | undefined): void {
  const next = new Map(keys.get())
  if (key) next.set(keyOf(file), key)
  else next.delete(keyOf(file))
  keys.set(next)
}

subscribeToPassphrase(() => keys.set(new Map()))

/** Returns the key of a file as text, once it is verified. Rejects with a `VaultFailure`. */
async function exportFileKey(file: File, passphrase: string): Promise<string> {
  const ciphertext = (options?: { readonly isFresh: boolean }) => findFileAddress(file, options?.isFresh)
  const { header, isConfirmed } = await openEnvelope(ciphertext, passphrase, { checkValue: file.vaultCheck })
  // Without a check value only decrypting the whole file verifies the key.
  if (!isConfirmed) await openFile(file, passphrase)
  return exportKey(passphrase, header.salt)
}

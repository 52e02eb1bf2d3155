import { Anchor } from '@mantine/core'
import { IconFolderOpen, IconShieldLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import type { HeldLock } from '../../items/held-locks.ts'
import { findKnownTwin } from '../../items/lists/known-twin.ts'
import { SpaceOffers } from '../../items/SpaceOffers.tsx'
import { unlock } from '../../items/unlock.ts'
import { noteOnTwin, noteOnUpload } from '../../lib/name-notes.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { UploadView } from '../upload-view.ts'
import { useUploadQueue } from '../uploads.ts'
import type { RowParts } from './row-parts.ts'
import styles from './UploadRow.module.css'
import { placeOf } from './upload-texts.ts'

interface PartProps {
  readonly upload: UploadView
}

export const ownerRowParts: RowParts = { Help, Notes, ShowButton, ToVaultButton }

function Help({ upload: { id, exceedsQuota, locks } }: PartProps) {
  return (
    <>
      {exceedsQuota && <SpaceOffers />}
      {locks && <UnlockButton id={id} locks={locks} />}
    </>
  )
}

/** Releases the locks that prevented an upload, and sends it again. */
function UnlockButton({ id, locks }: { readonly id: string; readonly locks: readonly HeldLock[] }) {
  const queryClient = useQueryClient()
  const uploads = useUploadQueue()
  return (
    <>
      {' '}
      <Anchor
        component="button"
        type="button"
        inherit
        onClick={() => unlock(queryClient, locks, () => uploads.retry(id))}
      >
        Unlock
      </Anchor>
    </>
  )
}

function Notes({ upload }: PartProps) {
  return useNotes(upload).map((note) => (
    <span key={note} className={styles.note}>
      {note}
    </span>
  ))
}

/** Returns the warnings of stored names that other systems can't store. The server compares only names of files. */
function useNotes({ kind, name, status, oddNames, folderId, isEncrypted }: UploadView): string[] {
  const queryClient = useQueryClient()
  const isSettled = status === 'done' || status === 'failed'
  const notes = oddNames ? noteOnUpload(oddNames, kind === 'folder') : []
  if (kind === 'file' || !isSettled) return notes
  const twin = findKnownTwin(queryClient, folderId ?? (isEncrypted ? VAULT_ROOT : undefined), name)
  return twin === undefined ? notes : [noteOnTwin(twin), ...notes]
}

function ShowButton({ upload }: PartProps) {
  const navigate = useNavigate()
  return (
    <IconButton
      className={styles.show}
      label={`Show ${upload.name} in ${placeOf(upload)}`}
      onClick={() => void navigate(addressOf(upload))}
    >
      <IconFolderOpen size={18} stroke={1.75} />
    </IconButton>
  )
}

/** Returns the address of the folder that contains the upload. */
function addressOf({ folderId, isEncrypted }: UploadView): string {
  return `${isEncrypted ? '/vault' : '/profile'}${folderId ? `?folder=${encodeURIComponent(folderId)}` : ''}`
}

/** Leads to the vault, where a file is chosen again because its upload also needs the passphrase. */
function ToVaultButton({ upload }: PartProps) {
  const navigate = useNavigate()
  return (
    <IconButton
      label={`Choose ${upload.name} again in the vault to resume`}
      onClick={() => void navigate(addressOf(upload))}
    >
      <IconShieldLock size={18} stroke={1.75} />
    </IconButton>
  )
}

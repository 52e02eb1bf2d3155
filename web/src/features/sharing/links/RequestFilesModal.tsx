import type { Link } from '@alcove/contract/links'
import { getProfile } from '@alcove/contract/profile'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { send, sentenceOf } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './LinkForm.module.css'
import { CreatedLink, openLinkForm } from './LinkFormModal.tsx'
import { TitleFields } from './LinkLimits.tsx'
import { fieldsOf, readFields } from './link-settings.ts'
import type { LinkTarget } from './link-texts.ts'
import { useSaveLink } from './queries.ts'

/** Opens the dialog that creates a link through which visitors send files to a folder. */
export function openRequestFilesModal(folder: LinkTarget): void {
  const modalId = openDialog({
    title: 'Request files',
    size: 520,
    children: <RequestSteps folder={folder} onClose={() => modals.close(modalId)} />,
  })
}

interface RequestStepsProps {
  readonly folder: LinkTarget
  readonly onClose: () => void
}

function RequestSteps({ folder, onClose }: RequestStepsProps) {
  const [created, setCreated] = useState<Link>()
  if (!created) return <RequestForm folder={folder} onCreated={setCreated} onClose={onClose} />
  return (
    <CreatedLink
      link={created}
      text="Anyone with this link can send files. They don’t see the folder or its name."
      onEdit={() => {
        onClose()
        openLinkForm(folder, created)
      }}
      onClose={onClose}
    />
  )
}

interface RequestFormProps extends RequestStepsProps {
  readonly onCreated: (link: Link) => void
}

function RequestForm({ folder, onCreated, onClose }: RequestFormProps) {
  const suggestion = useSuggestedTitle()
  const [typed, setTyped] = useState<string>()
  const [message, setMessage] = useState('')
  const save = useSaveLink(folder)
  const title = typed ?? suggestion

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const read = readFields({ ...fieldsOf(undefined), right: 'upload', title, message }, undefined)
    if ('settings' in read) save.mutate({ linkId: undefined, settings: read.settings }, { onSuccess: onCreated })
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TitleFields
        isFirst
        fields={{ title, message }}
        problems={{}}
        onChange={(changes) => {
          if (changes.title !== undefined) setTyped(changes.title)
          if (changes.message !== undefined) setMessage(changes.message)
        }}
      />
      <p className={styles.note}>The files of each visitor go into a folder of their own.</p>
      {save.isError && (
        <Notice
          tone="error"
          text={sentenceOf(save.error) ?? 'Couldn’t create the link. Check your connection, then try again.'}
        />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" disabled={save.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={save.isPending}>
          Create Link
        </BusyButton>
      </Group>
    </form>
  )
}

/** Returns a title that doesn't reveal the name of the folder. */
function useSuggestedTitle(): string {
  const { data } = useQuery({ queryKey: queryKeys.profile, queryFn: ({ signal }) => send(getProfile, {}, { signal }) })
  return data?.displayName ? `Files for ${data.displayName}` : 'Send me your files'
}

import { MAX_DISPLAY_NAME_LENGTH } from '@alcove/contract/limits'
import { getProfile, updateProfile } from '@alcove/contract/profile'
import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, type SubmitEvent, useState } from 'react'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useCall } from '../../api/use-call.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountCards.module.css'
import { failureText } from './failure-text.ts'
import { QueryCard } from './QueryCard.tsx'

/** Sets the name that visitors of shared links see. */
export function DisplayNameCard() {
  const [typed, setTyped] = useState<string>()
  const profile = useQuery({ queryKey: queryKeys.profile, queryFn: ({ signal }) => send(getProfile, {}, { signal }) })
  return (
    <QueryCard title="Display name" query={profile} failure="Couldn’t load your display name.">
      {({ displayName }) => <DisplayNameForm stored={displayName} typed={typed} onType={setTyped} />}
    </QueryCard>
  )
}

interface DisplayNameFormProps {
  readonly stored: string
  /** Undefined if the field shows what is stored. */
  readonly typed: string | undefined
  readonly onType: Dispatch<SetStateAction<string | undefined>>
}

function DisplayNameForm({ stored, typed, onType }: DisplayNameFormProps) {
  const update = useCall(updateProfile)
  const queryClient = useQueryClient()
  const name = typed ?? stored

  function submit(event: SubmitEvent) {
    event.preventDefault()
    update.mutate(
      { displayName: name.trim() },
      {
        onSuccess: (profile) => {
          queryClient.setQueryData(queryKeys.profile, profile)
          // For the other tabs.
          void queryClient.invalidateQueries({ queryKey: queryKeys.profile })
          onType((current) => (current === typed ? undefined : current))
        },
      },
    )
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {update.isError && <Notice tone="error" text={failureText(update.error, 'Couldn’t save your display name.')} />}
      {update.isSuccess && (
        <Notice tone="success" text={update.data.displayName ? 'Display name saved.' : 'Display name removed.'} />
      )}
      <TextInput
        label="Name"
        description="Visitors of your shared links see “Shared by” and this name. Leave it empty to show no name."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="name"
        dir="auto"
        maxLength={2 * MAX_DISPLAY_NAME_LENGTH}
        value={name}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <BusyButton type="submit" variant="default" loading={update.isPending}>
          Save
        </BusyButton>
      </div>
    </form>
  )
}

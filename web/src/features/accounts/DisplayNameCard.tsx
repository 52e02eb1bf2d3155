import { MAX_DISPLAY_NAME_LENGTH } from '@alcove/contract/limits'
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountCards.module.css'
import { CardLoading } from './CardLoading.tsx'
import { failureText } from './failure-text.ts'
import { profileKey, useProfile, useUpdateProfile } from './queries.ts'

/** The name that visitors of shared links see. */
export function DisplayNameCard() {
  const { data, isError, isFetching, refetch } = useProfile()
  return (
    <Card title="Display name">
      {data ? (
        <DisplayNameForm displayName={data.displayName} />
      ) : isError ? (
        <LoadError text="Couldn’t load your display name." isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <CardLoading height={94} />
      )}
    </Card>
  )
}

function DisplayNameForm({ displayName }: { readonly displayName: string }) {
  const update = useUpdateProfile()
  const queryClient = useQueryClient()
  const [name, setName] = useState(displayName)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    update.mutate(
      { displayName: name.trim() },
      {
        onSuccess: (profile) => {
          queryClient.setQueryData(profileKey, profile)
          setName(profile.displayName)
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
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <BusyButton type="submit" variant="default" loading={update.isPending}>
          Save
        </BusyButton>
      </div>
    </form>
  )
}

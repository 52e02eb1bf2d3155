import { type AppPassword, createAppPassword } from '@alcove/contract/app-passwords'
import { APP_PASSWORD_NAME_EMPTY } from '@alcove/contract/credentials'
import { MAX_APP_PASSWORD_NAME } from '@alcove/contract/limits'
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type SubmitEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { storageQuery } from '../../../api/fetch-storage.ts'
import { useCall } from '../../../api/use-call.ts'
import { formatDayWithYear } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { type Choice, RadioCards } from '../../../ui/RadioCards.tsx'
import cardStyles from '../AccountCards.module.css'
import { scopes } from './app-password-texts.ts'
import styles from './CreateAppPassword.module.css'
import type { CreatedAppPassword } from './created-app-password.ts'
import { appPasswordsKey } from './queries.ts'

interface FolderChoiceProps {
  readonly folderId: string | undefined
  readonly onOpen: (folderId: string | undefined) => void
}
export type FolderChoiceComponent = ComponentType<FolderChoiceProps>

const scopeChoices = scopes.map(({ scope, name, text }) => ({ value: scope, name, text }))
const ordinaryChoices = scopeChoices.filter(({ value }) => value !== 'admin')

type Reach = 'drive' | 'folder'

const reachChoices: readonly Choice<Reach>[] = [
  { value: 'drive', name: 'Whole drive', text: 'Everything but the vault, which apps can’t decrypt.' },
  { value: 'folder', name: 'One folder', text: 'That folder and what is in it. The app sees nothing else.' },
]

const endChoices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'day', label: 'On a day that I choose' },
] as const
type End = (typeof endChoices)[number]['value']

interface Problems {
  readonly name?: string
  readonly folder?: string
  readonly day?: string
}

interface CreateAppPasswordFormProps {
  readonly FolderChoice: FolderChoiceComponent
  readonly initialName?: string
  /** Called with whether the dialog must stay open: from the request until the password is shown. */
  readonly onHold: (isHeld: boolean) => void
  readonly onCreated: (created: CreatedAppPassword) => void
  readonly onClose: () => void
}

export function CreateAppPasswordForm(props: CreateAppPasswordFormProps) {
  const { FolderChoice, initialName = '', onHold, onCreated, onClose } = props
  const queryClient = useQueryClient()
  const create = useCall(createAppPassword)
  const { data: storage } = useQuery({ ...storageQuery, refetchOnMount: false })
  const [name, setName] = useState(initialName)
  const [scope, setScope] = useState<AppPassword['scope']>('write')
  const [chosenReach, setReach] = useState<Reach>('drive')
  // A token for administration reaches no files.
  const reach = scope === 'admin' ? 'drive' : chosenReach
  const [folderId, setFolderId] = useState<string>()
  const [end, setEnd] = useState<End>('never')
  const [day, setDay] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const nameInput = useRef<HTMLInputElement>(null)
  const expiresAt = endOf(end, day)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const found: Problems = {
      name: name.trim() === '' ? APP_PASSWORD_NAME_EMPTY : undefined,
      folder: reach === 'folder' && folderId === undefined ? 'Open a folder, or choose the whole drive.' : undefined,
      day: end === 'day' ? findDayProblem(expiresAt) : undefined,
    }
    setProblems(found)
    if (found.name) nameInput.current?.focus()
    if (found.name || found.folder || found.day || create.isPending) return
    onHold(true)
    create.mutate(
      {
        name,
        scope,
        folderId: reach === 'folder' ? folderId : undefined,
        expiresAt: expiresAt?.toISOString(),
      },
      {
        onSuccess: ({ secret, user }) => {
          void queryClient.invalidateQueries({ queryKey: appPasswordsKey })
          onCreated({ secret, user })
        },
        // Also if the user doesn't confirm who they are, which is not an error.
        onSettled: (created) => created ?? onHold(false),
      },
    )
  }

  return (
    <form className={cardStyles.form} onSubmit={submit} noValidate>
      <TextInput
        ref={nameInput}
        label="Name"
        description="The app, and the device it is on"
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder="rclone on my laptop"
        data-autofocus
        autoComplete="off"
        dir="auto"
        maxLength={MAX_APP_PASSWORD_NAME}
        value={name}
        error={problems.name}
        errorProps={{ role: 'alert' }}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setProblems({ ...problems, name: undefined })
        }}
      />
      <RadioCards
        legend="What it may do"
        choices={storage?.is_admin ? scopeChoices : ordinaryChoices}
        value={scope}
        onChange={setScope}
      />
      {scope !== 'admin' && <RadioCards legend="Where" choices={reachChoices} value={reach} onChange={setReach} />}
      {reach === 'folder' && (
        <div className={styles.folder}>
          <FolderChoice folderId={folderId} onOpen={setFolderId} />
          <p className={styles.hint} role="status">
            {folderId === undefined
              ? 'Open the folder that the app may use.'
              : 'The app may use the folder that is open here. It shows as its top folder.'}
          </p>
          {problems.folder && folderId === undefined && <Notice tone="error" text={problems.folder} />}
        </div>
      )}
      <div className={styles.end}>
        <NativeSelect
          className={styles.field}
          label="It stops working"
          data={[...endChoices]}
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value as End)}
          description={end !== 'never' && end !== 'day' && expiresAt && formatDayWithYear(expiresAt.toISOString())}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        {end === 'day' && (
          <TextInput
            className={styles.field}
            type="date"
            label="Last day"
            value={day}
            error={problems.day}
            errorProps={{ role: 'alert' }}
            onChange={(event) => {
              setDay(event.currentTarget.value)
              setProblems({ ...problems, day: undefined })
            }}
          />
        )}
      </div>
      {create.isError && (
        <Notice
          tone="error"
          text={sentenceOf(create.error) ?? 'Couldn’t create the app password. Check your connection, then try again.'}
        />
      )}
      <Group className={cardStyles.end} gap="xs">
        <Button variant="subtle" disabled={create.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={create.isPending}>
          Create
        </BusyButton>
      </Group>
    </form>
  )
}

const DAY = 86_400_000

/** Returns when the app password stops working: never, after some days, or when a day ends in the local time zone. */
function endOf(end: End, day: string): Date | undefined {
  if (end === 'never') return undefined
  if (end !== 'day') return new Date(Date.now() + Number(end) * DAY)
  const date = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function findDayProblem(end: Date | undefined): string | undefined {
  if (!end) return 'Choose a day.'
  return end.getTime() <= Date.now() ? 'Choose today or a later day.' : undefined
}

import { type AdminProvider, saveProvider } from '@alcove/contract/admin-sign-in'
import { Button, Checkbox, Group, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { Facts } from '../parts/Facts.tsx'
import { adminKeys } from '../queries.ts'
import { fieldsOf, inputOf, nameOf, type ProviderFields } from './provider-fields.ts'

interface ProviderModalOptions {
  /** Undefined for a new one. */
  readonly provider?: AdminProvider
  /** The public address of the server. */
  readonly signOutUri: string
}

export function openProviderModal(options: ProviderModalOptions): void {
  const modalId = openDialog({
    title: options.provider ? `Edit ${options.provider.label}` : 'Add a provider',
    size: 560,
    children: <ProviderForm {...options} onClose={() => modals.close(modalId)} />,
  })
}

interface ProviderFormProps extends ProviderModalOptions {
  readonly onClose: () => void
}

const newAccountChoices = [
  { value: 'invited', label: 'Invited addresses and the domains below' },
  { value: 'everyone', label: 'Everyone whom the provider lets in' },
  { value: 'nobody', label: 'Nobody: only existing accounts' },
]

function ProviderForm({ provider, signOutUri, onClose }: ProviderFormProps) {
  const save = useCall(saveProvider)
  const queryClient = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(provider))
  const change = (changes: Partial<ProviderFields>) => setFields((current) => ({ ...current, ...changes }))
  /** Returns the properties of a text field. */
  const text = (
    field: { [Key in keyof ProviderFields]: ProviderFields[Key] extends string ? Key : never }[keyof ProviderFields],
  ) => ({
    value: fields[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ [field]: currentTarget.value }),
  })

  const name = fields.name || nameOf(fields.label)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    save.mutate(inputOf(fields), {
      onSuccess: (state) => {
        queryClient.setQueryData(adminKeys.signIn, state)
        notifySuccess('Saved. “Test” checks that it works.')
        onClose()
      },
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={14}>
        <TextInput label="Label" description="The button says “Continue with …”" data-autofocus {...text('label')} />
        <TextInput
          label="Issuer"
          description="The address, exactly as the provider shows it"
          placeholder="https://id.example.com/realms/family"
          {...text('issuer')}
        />
        <TextInput label="Client ID" autoComplete="off" {...text('clientId')} />
        <PasswordInput
          label="Client secret"
          description={provider?.hasSecret ? 'Stored. Leave it empty to keep it.' : 'Empty for a public client'}
          autoComplete="new-password"
          {...text('clientSecret')}
        />
        <Facts
          facts={[
            ['Enter at the provider as redirect address', `${signOutUri}sign-in/callback/${name}`],
            ['And as address after sign-out', signOutUri],
            ['For back-channel logout', `${signOutUri}api/sign-in/back-channel/${name}`],
          ]}
        />
        <NativeSelect
          label="Who gets an account at the first sign-in"
          data={newAccountChoices}
          value={fields.newAccounts}
          onChange={({ currentTarget }) =>
            change({ newAccounts: currentTarget.value as ProviderFields['newAccounts'] })
          }
        />
        {fields.newAccounts === 'invited' && (
          <TextInput label="Domains" description="Separated by commas" placeholder="example.com" {...text('domains')} />
        )}
        <Checkbox
          label="Trust all addresses of this provider"
          description="Only if the provider gives nobody an address of somebody else. Microsoft Entra and authentik need it."
          checked={fields.trustsEmail}
          onChange={({ currentTarget }) => change({ trustsEmail: currentTarget.checked })}
        />
        <Checkbox
          label="Sign out at the provider too"
          checked={fields.signsOut}
          onChange={({ currentTarget }) => change({ signsOut: currentTarget.checked })}
        />
        <TextInput
          label="Allowed groups"
          description="Only their members may sign in. Empty for everyone"
          {...text('allowedGroups')}
        />
        <TextInput
          label="Groups for sharing"
          description="Their members can share folders with the whole group. * for all groups, team-* for some, empty for none"
          {...text('groups')}
        />
        <TextInput label="Groups claim" {...text('groupsClaim')} />
        <TextInput
          label="Role claim"
          description="Decides at each sign-in who is an administrator, such as realm_access.roles. Empty if it doesn’t"
          {...text('roleClaim')}
        />
        {fields.roleClaim.trim() !== '' && <TextInput label="Its value for administrators" {...text('adminValue')} />}
        <TextInput
          label="Quota claim"
          description="Bytes, or text like 50 GB. Empty for none"
          {...text('quotaClaim')}
        />
        <TextInput label="Scopes" {...text('scopes')} />
        {save.isError && <Notice tone="error" text={sentenceOf(save.error) ?? 'Couldn’t save this. Try again.'} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
          <BusyButton type="submit" loading={save.isPending}>
            Save
          </BusyButton>
        </Group>
      </Stack>
    </form>
  )
}

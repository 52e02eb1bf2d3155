import { type AdminProvider, removeProvider, testProvider } from '@alcove/contract/admin-sign-in'
import { Group } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { MoveButton } from '../parts/MoveButton.tsx'
import { StateRow } from '../parts/StateList.tsx'
import { adminKeys } from '../queries.ts'
import { openProviderModal } from './ProviderForm.tsx'

interface ProviderRowProps {
  readonly provider: AdminProvider
  readonly signOutUri: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: 1 | -1) => void
}

/** A provider with the result of its last test. */
export function ProviderRow({ provider, signOutUri, isFirst, isLast, onMove }: ProviderRowProps) {
  const { name, label, issuer, source } = provider
  const test = useCall(testProvider)
  const removal = useCall(removeProvider)
  const queryClient = useQueryClient()
  const runTest = () =>
    test.mutate(
      { name },
      { onError: (error) => notifyError(sentenceOf(error) ?? 'Couldn’t test the provider. Try again.') },
    )

  async function remove() {
    const isConfirmed = await confirm({
      question: `Remove ${label}?`,
      detail: 'Nobody can sign in through it any more. Accounts and files stay.',
      verb: 'Remove',
    })
    if (!isConfirmed) return
    removal.mutate(
      { name },
      {
        onSuccess: ({ message }) => notifySuccess(message),
        onError: (error) => notifyError(sentenceOf(error) ?? 'Couldn’t remove the provider. Try again.'),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: adminKeys.signIn }),
      },
    )
  }

  const isGiven = source === 'environment'
  return (
    <StateRow
      title={label}
      state={test.data === undefined ? 'skipped' : test.data.isWorking ? 'ok' : 'failed'}
      message={test.data?.message ?? (isGiven ? `${issuer} (from the settings of the server)` : issuer)}
      fix={test.data?.fix}
      action={
        <Group gap={4}>
          <BusyButton variant="default" size="xs" loading={test.isPending} onClick={runTest}>
            Test
          </BusyButton>
          {!(isFirst && isLast) && (
            <>
              <MoveButton what={label} by={-1} isIdle={isFirst} onMove={onMove} />
              <MoveButton what={label} by={1} isIdle={isLast} onMove={onMove} />
            </>
          )}
          {!isGiven && (
            <>
              <IconButton label={`Edit ${label}`} onClick={() => openProviderModal({ provider, signOutUri })}>
                <IconPencil size={18} stroke={1.75} />
              </IconButton>
              <IconButton label={`Remove ${label}`} loading={removal.isPending} onClick={() => void remove()}>
                <IconTrash size={18} stroke={1.75} />
              </IconButton>
            </>
          )}
        </Group>
      }
    />
  )
}

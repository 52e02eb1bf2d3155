import { discardJob, type QueuedJob, retryJob } from '@alcove/contract/admin-jobs'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { formatMoment, plural } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { StateRow } from '../parts/StateList.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys } from '../queries.ts'
import { capitalize } from './capitalize.ts'

const states: Readonly<Record<QueuedJob['state'], (at: string) => string>> = {
  failed: (at) => `Given up ${at}`,
  retrying: (at) => `Next attempt ${at}`,
  running: (at) => `Running since ${at}`,
}

const signs = { failed: 'failed', retrying: 'warning', running: 'running' } as const

/** A job that fails, with what an administrator can do about it. */
export function JobRow({ job }: { readonly job: QueuedJob }) {
  const { id, kind, state, attempts, at, error } = job
  const retry = useCall(retryJob)
  const discard = useCall(discardJob)
  const queryClient = useQueryClient()
  const endWith = (failure: string) => ({
    onSuccess: ({ message }: { message: string }) => notifySuccess(message),
    onError: (reason: unknown) => notifyError(sentenceOf(reason) ?? failure),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: adminKeys.jobs }),
  })

  async function askToDiscard() {
    const isConfirmed = await confirm({
      question: `Delete the job “${kind}”?`,
      detail: 'What it was to do will never be done. You can’t undo this.',
      verb: 'Delete',
      icon: <IconTrash size={20} stroke={1.75} />,
    })
    if (isConfirmed) discard.mutate({ id }, endWith('Couldn’t delete the job.'))
  }

  return (
    <StateRow
      state={signs[state]}
      title={capitalize(kind)}
      message={`${states[state](formatMoment(at))} · ${plural(attempts, 'attempt')}`}
      fix={error}
      action={
        state !== 'running' && (
          <div className={styles.actions}>
            <BusyButton
              variant="default"
              size="xs"
              loading={retry.isPending}
              onClick={() => retry.mutate({ id }, endWith('Couldn’t try the job again.'))}
            >
              Try again
            </BusyButton>
            {state === 'failed' && (
              <BusyButton variant="subtle" size="xs" loading={discard.isPending} onClick={() => void askToDiscard()}>
                Delete
              </BusyButton>
            )}
          </div>
        )
      }
    />
  )
}

import { type getBackups, scheduleBackups, type schedules } from '@alcove/contract/admin-backups'
import type { OutputOf } from '@alcove/contract/call'
import { SegmentedControl } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { CallCancelled, send, sentenceOf } from '../../../api/api.ts'
import { usePendingValue } from '../../../api/use-pending-value.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys } from '../queries.ts'

type Every = (typeof schedules)[number]
type Backups = OutputOf<typeof getBackups>

const choices: { value: Every; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
]

/** How often the server makes a backup by itself. */
export function BackupSchedule({ every }: { readonly every: Every }) {
  const id = useId()
  const queryClient = useQueryClient()
  // One after another, so that the last choice is the one that stays.
  const { mutateAsync: save } = useMutation({
    scope: { id: 'backup schedule' },
    mutationFn: (chosen: Every) => send(scheduleBackups, { every: chosen }),
    async onSuccess({ message }, chosen) {
      await queryClient.cancelQueries({ queryKey: adminKeys.backups })
      queryClient.setQueryData<Backups>(adminKeys.backups, (backups) => backups && { ...backups, every: chosen })
      notifySuccess(message)
    },
    onError(error) {
      if (error instanceof CallCancelled) return
      notifyError(sentenceOf(error) ?? 'Couldn’t save the schedule. Try again.')
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: adminKeys.backups }),
  })
  const [shown, show] = usePendingValue(every)
  return (
    <div className={styles.choice}>
      <span id={id}>Back up by itself, at night</span>
      <SegmentedControl
        aria-labelledby={id}
        value={shown}
        data={choices}
        onChange={(chosen) => show(chosen, save(chosen))}
      />
    </div>
  )
}

import { scheduleBackups, type schedules } from '@alcove/contract/admin-backups'
import { SegmentedControl } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys } from '../queries.ts'

type Every = (typeof schedules)[number]

const choices: { value: Every; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
]

/** How often the server makes a backup by itself. */
export function BackupSchedule({ every }: { readonly every: Every }) {
  const id = useId()
  const schedule = useCall(scheduleBackups)
  const queryClient = useQueryClient()
  return (
    <div className={styles.choice}>
      <span id={id}>Back up by itself, at night</span>
      <SegmentedControl
        aria-labelledby={id}
        value={every}
        data={choices}
        onChange={(chosen) =>
          schedule.mutate(
            { every: chosen as Every },
            {
              onSuccess: ({ message }) => notifySuccess(message),
              onError: (error) => notifyError(sentenceOf(error) ?? 'Couldn’t save the schedule. Try again.'),
              onSettled: () => void queryClient.invalidateQueries({ queryKey: adminKeys.backups }),
            },
          )
        }
      />
    </div>
  )
}

import { type getBackups, scheduleBackups, type schedules } from '@alcove/contract/admin-backups'
import type { OutputOf } from '@alcove/contract/call'
import { SegmentedControl } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { send } from '../../../api/api.ts'
import { useSetting } from '../../../api/use-setting.ts'
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
  const [shown, choose] = useSetting(every, {
    queryKey: adminKeys.backups,
    save: (chosen) => send(scheduleBackups, { every: chosen }),
    update: (backups: Backups, _saved, chosen) => ({ ...backups, every: chosen }),
    onSaved: ({ message }) => {
      notifySuccess(message)
      // The time of the next one changes, too.
      void queryClient.invalidateQueries({ queryKey: adminKeys.backups })
    },
    onFailed: (sentence) => notifyError(sentence ?? 'Couldn’t save the schedule. Try again.'),
  })
  return (
    <div className={styles.choice}>
      <span id={id}>Back up by itself, at night</span>
      <SegmentedControl aria-labelledby={id} value={shown} data={choices} onChange={choose} />
    </div>
  )
}

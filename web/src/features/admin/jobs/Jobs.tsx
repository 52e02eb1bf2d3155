import { type getJobs, retryFailedJobs } from '@alcove/contract/admin-jobs'
import type { OutputOf } from '@alcove/contract/call'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { plural } from '../../../lib/format.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { StateList } from '../parts/StateList.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys, useJobs } from '../queries.ts'
import { JobRow } from './JobRow.tsx'
import jobStyles from './Jobs.module.css'
import { Schedule } from './Schedule.tsx'

/** The queue of background jobs, what fails in it, and when scheduled jobs ran last. */
export function Jobs() {
  return (
    <QueryContent query={useJobs()} failure="Unable to load the jobs.">
      {({ counts, jobs, schedule }) => (
        <>
          <Queue counts={counts} jobs={jobs} />
          <h3 className={jobStyles.heading}>Schedule</h3>
          <Schedule runs={schedule} />
        </>
      )}
    </QueryContent>
  )
}

function Queue({ counts, jobs }: Pick<OutputOf<typeof getJobs>, 'counts' | 'jobs'>) {
  const { waiting, running, retrying, failed } = counts
  const shown = jobs.length < running + retrying + failed ? ` The first ${jobs.length} are shown.` : ''
  const summary = useRef<HTMLParagraphElement>(null)
  useFocusFallback(summary, jobs.map(({ id, state }) => `${id} ${state}`).join(' '))
  return (
    <>
      <div className={styles.head}>
        <p ref={summary} className={styles.lead} role="status" tabIndex={-1}>
          {plural(waiting, 'job')} waiting, {running} running, {retrying} to be tried again, {failed} failed.{shown}
        </p>
        {failed > 1 && <RetryAllButton />}
      </div>
      {jobs.length === 0 ? (
        <p className={styles.lead}>No job has failed. What fails is tried again for some hours, and then shown here.</p>
      ) : (
        <StateList label="Jobs">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </StateList>
      )}
    </>
  )
}

function RetryAllButton() {
  const retry = useCall(retryFailedJobs)
  const queryClient = useQueryClient()
  const retryAll = () =>
    retry.mutate(
      {},
      {
        onSuccess: ({ message }) => notifySuccess(message),
        onError: (error) => notifyError(sentenceOf(error) ?? 'Couldn’t try the jobs again.'),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: adminKeys.jobs }),
      },
    )
  return (
    <BusyButton variant="default" loading={retry.isPending} onClick={retryAll}>
      Try all failed jobs again
    </BusyButton>
  )
}

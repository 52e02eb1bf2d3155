import { type CheckResult, runChecks, sendTestMail } from '@alcove/contract/admin-checks'
import { IconMail, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../api/api.ts'
import { useAction, useCall } from '../../../api/use-call.ts'
import { formatMoment, plural } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { StateList, StateRow } from '../parts/StateList.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys, fetchChecks, useChecks } from '../queries.ts'
import { withOwnClock } from './with-own-clock.ts'

/** What the server has found out about its surroundings, each with the sentence that fixes it. */
export function Checks() {
  const queryClient = useQueryClient()
  const run = useAction(() => fetchChecks(runChecks))
  const again = () =>
    run.mutate(undefined, {
      onSuccess: (results) => queryClient.setQueryData(adminKeys.checks, results),
      onError: (error) => notifyError(sentenceOf(error) ?? 'Couldn’t run the checks. Try again.'),
    })
  return (
    <QueryContent query={useChecks()} failure="Unable to load the checks.">
      {({ checks, checkedAt, clockDifference }) => {
        const all = withOwnClock(checks, clockDifference)
        return (
          <>
            <div className={styles.head}>
              <p className={styles.lead} role="status">
                {summarize(all)} Checked <time dateTime={checkedAt}>{formatMoment(checkedAt)}</time>.
              </p>
              <BusyButton
                variant="default"
                leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
                loading={run.isPending}
                onClick={again}
              >
                Run again
              </BusyButton>
            </div>
            <StateList label="Checks">
              {all.map(({ id, label, ...found }) => (
                <StateRow key={id} title={label} {...found} action={id === 'mail' && <TestMailButton />} />
              ))}
            </StateList>
          </>
        )
      }}
    </QueryContent>
  )
}

function summarize(checks: readonly CheckResult[]): string {
  const failures = checks.filter(({ state }) => state === 'failed').length
  const warnings = checks.filter(({ state }) => state === 'warning').length
  const found = [failures > 0 && plural(failures, 'problem'), warnings > 0 && plural(warnings, 'warning')]
  return failures + warnings === 0 ? 'No problems found.' : `${found.filter(Boolean).join(' and ')} found.`
}

function TestMailButton() {
  const mail = useCall(sendTestMail)
  const sendMail = () =>
    mail.mutate(
      {},
      {
        onSuccess: ({ message }) => notifySuccess(message),
        onError: (error) => notifyError(sentenceOf(error) ?? 'Couldn’t send the mail. Try again.'),
      },
    )
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconMail size={16} stroke={1.75} aria-hidden />}
      loading={mail.isPending}
      onClick={sendMail}
    >
      Send a test mail
    </BusyButton>
  )
}

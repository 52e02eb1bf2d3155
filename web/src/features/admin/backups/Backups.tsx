import { type BackupRun, type getBackups, startBackup, startVerification } from '@alcove/contract/admin-backups'
import type { OutputOf } from '@alcove/contract/call'
import { Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { formatMoment, formatSize, formatStorage, plural } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Card, CardHeadingLevel } from '../../../ui/Card.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { Facts } from '../parts/Facts.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { StateList, StateRow } from '../parts/StateList.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys, useBackups } from '../queries.ts'
import { BackupSchedule } from './BackupSchedule.tsx'

/** How old and how large the backup is, and whether it could be restored. */
export function Backups() {
  return (
    <QueryContent query={useBackups()} failure="Unable to load the backups.">
      {(backups) => (
        <CardHeadingLevel value={3}>
          <div className={styles.stack}>
            {backups.folder === null ? <NoFolder /> : <Actions backups={backups} folder={backups.folder} />}
            <LastRuns backups={backups} />
            <RunList runs={backups.runs} />
          </div>
        </CardHeadingLevel>
      )}
    </QueryContent>
  )
}

type BackupState = OutputOf<typeof getBackups>

function NoFolder() {
  return (
    <Notice
      tone="info"
      text="To make backups from here, set ALCOVE_BACKUP_DIR to a folder on another disk, and restart the server. Until then, “alcove backup DIR” makes them, and they are shown here too."
    />
  )
}

function Actions({ backups, folder }: { readonly backups: BackupState; readonly folder: string }) {
  const queryClient = useQueryClient()
  const backup = useCall(startBackup)
  const verification = useCall(startVerification)
  const isRunning = (kind: BackupRun['kind']) =>
    backups.runs.some((run) => run.kind === kind && run.state === 'running')
  const ending = {
    onSuccess: ({ message }: { message: string }) => notifySuccess(message),
    onError: (error: unknown) => notifyError(sentenceOf(error) ?? 'Couldn’t start. Try again.'),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: adminKeys.backups }),
  }
  return (
    <>
      <div className={styles.actions}>
        <BusyButton loading={backup.isPending} disabled={isRunning('backup')} onClick={() => backup.mutate({}, ending)}>
          Back up now
        </BusyButton>
        <BusyButton
          variant="default"
          loading={verification.isPending}
          disabled={isRunning('verification') || isRunning('backup') || backups.lastBackup === null}
          onClick={() => verification.mutate({}, ending)}
        >
          Verify now
        </BusyButton>
      </div>
      <BackupSchedule every={backups.every} />
      <p className={styles.lead}>
        Backups go to <bdi>{folder}</bdi>. It holds the last one, and each run copies only what is new. To verify it,
        the server restores its rows in a throw-away database and compares all its bytes.
      </p>
    </>
  )
}

function LastRuns({ backups: { lastBackup, lastVerification } }: { readonly backups: BackupState }) {
  return (
    <Card title="Last backup">
      <Facts
        facts={[
          ['Made', lastBackup ? formatMoment(lastBackup.beganAt) : 'None'],
          lastBackup !== null && ['Size', describeSize(lastBackup)],
          [
            'Verified',
            lastVerification?.madeAt
              ? `${formatMoment(lastVerification.beganAt)}, the backup of ${formatMoment(lastVerification.madeAt)}`
              : 'Never',
          ],
        ]}
      />
    </Card>
  )
}

function describeSize({ totalBytes, blobs }: BackupRun): string {
  return `${formatStorage(totalBytes ?? 0)} in ${plural(blobs ?? 0, 'file')}`
}

function RunList({ runs }: { readonly runs: readonly BackupRun[] }) {
  if (runs.length === 0) return null
  return (
    <StateList label="Backups and verifications">
      {runs.map((run) => (
        <StateRow
          key={run.id}
          state={stateOf(run)}
          title={`${run.kind === 'backup' ? 'Backup' : 'Verification'} of ${formatMoment(run.beganAt)}`}
          message={describeRun(run)}
          fix={run.error}
          action={run.state === 'running' && <RunProgress run={run} />}
        />
      ))}
    </StateList>
  )
}

function stateOf({ state, error }: BackupRun) {
  if (state === 'running') return 'running'
  if (state === 'failed') return 'failed'
  return error === null ? 'ok' : 'warning'
}

function describeRun(run: BackupRun): string {
  const { state, kind, folder, server, doneBytes, totalBytes, copiedBytes } = run
  const place = `${folder} on ${server}`
  if (state === 'failed') return `Failed. ${place}`
  if (state === 'running') {
    const done = totalBytes === null ? formatSize(doneBytes) : `${formatSize(doneBytes)} of ${formatSize(totalBytes)}`
    return `Running: ${done}. ${place}`
  }
  const copied = kind === 'backup' && copiedBytes !== null ? `, ${formatSize(copiedBytes)} of them new` : ''
  return `${describeSize(run)}${copied}. ${place}`
}

function RunProgress({ run: { doneBytes, totalBytes, kind } }: { readonly run: BackupRun }) {
  if (!totalBytes) return null
  return (
    <Progress
      className={styles.wide}
      value={(doneBytes / totalBytes) * 100}
      aria-label={`Progress of the ${kind}`}
      animated
    />
  )
}

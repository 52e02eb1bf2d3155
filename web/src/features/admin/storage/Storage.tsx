import { type getAdminStorage, startScrub } from '@alcove/contract/admin-storage'
import type { OutputOf } from '@alcove/contract/call'
import { Anchor, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { formatDay, formatMoment, formatStorage, plural } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Card, CardHeadingLevel } from '../../../ui/Card.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { Facts } from '../parts/Facts.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys, useAdminStorage } from '../queries.ts'
import { GrowthChart } from './GrowthChart.tsx'

type StorageState = OutputOf<typeof getAdminStorage>

/** What is stored where, how it grows, and whether it is intact. */
export function Storage() {
  return (
    <QueryContent query={useAdminStorage()} failure="Unable to load the storage.">
      {(storage) => (
        <CardHeadingLevel value={3}>
          <div className={styles.cards}>
            <StoreCard storage={storage} />
            <GrowthCard storage={storage} />
            <DamageCard storage={storage} />
            <LargestUsersCard users={storage.largestUsers} />
          </div>
        </CardHeadingLevel>
      )}
    </QueryContent>
  )
}

interface StoragePart {
  readonly storage: StorageState
}

function StoreCard({ storage }: StoragePart) {
  const { store, disk, databaseBytes, waitingForRemoval } = storage
  const full = ((disk.totalBytes - disk.freeBytes) / disk.totalBytes) * 100
  const { blobs, bytes } = waitingForRemoval
  return (
    <Card title={store.kind === 's3' ? 'S3 store' : 'Disk'}>
      <Facts
        facts={[
          [store.kind === 's3' ? 'Bucket' : 'Data folder', store.place],
          store.endpoint !== null && ['Address', store.endpoint],
          [
            store.kind === 's3' ? 'Free on the disk of this server' : 'Free',
            `${formatStorage(disk.freeBytes)} of ${formatStorage(disk.totalBytes)}`,
          ],
          ['Database', formatStorage(databaseBytes)],
          ['Waiting to be removed', blobs === 0 ? 'Nothing' : `${plural(blobs, 'file')}, ${formatStorage(bytes)}`],
        ]}
      />
      <Progress
        className={styles.bar}
        value={full}
        color={full > 95 ? 'red' : undefined}
        aria-label={`${Math.round(full)}% of the disk are used`}
      />
    </Card>
  )
}

function GrowthCard({ storage }: StoragePart) {
  const { users, usedBytes, versionBytes, growth, samples, blobBytes } = storage
  const grown = growth && `${growth.bytes < 0 ? '−' : '+'}${formatStorage(Math.abs(growth.bytes))}`
  return (
    <Card title="Stored by users">
      <Facts
        facts={[
          ['Accounts', String(users)],
          ['All files', formatStorage(usedBytes)],
          ['Earlier versions among them', formatStorage(versionBytes)],
          blobBytes !== null && ['In the store, where copies share their bytes', formatStorage(blobBytes)],
          ['Growth', growth ? `${grown} since ${formatDay(growth.since)}` : 'Known from tomorrow on'],
        ]}
      />
      <GrowthChart samples={samples} />
    </Card>
  )
}

function DamageCard({ storage }: StoragePart) {
  const { damaged, scrub } = storage
  const check = useCall(startScrub)
  const queryClient = useQueryClient()
  const begin = () =>
    check.mutate(
      {},
      {
        onSuccess: ({ message }) => notifySuccess(message),
        onError: (error) => notifyError(sentenceOf(error) ?? 'Couldn’t start the check. Try again.'),
        onSettled: () => void queryClient.invalidateQueries({ queryKey: adminKeys.storage }),
      },
    )
  return (
    <Card title="Damaged files">
      {damaged.blobs === 0 ? (
        <p className={styles.lead}>No damage is known. The server reads a share of all files each night.</p>
      ) : (
        <>
          <p className={styles.problem} role="alert">
            {plural(damaged.blobs, 'stored file')} can’t be read or changed on the disk.
          </p>
          <p className={styles.lead}>
            Check the disk first. Then restore the latest backup into an empty folder, and give the owners their files
            again. On the server, <code>alcove verify</code> names them; a file that is whole again disappears from here
            by itself.
          </p>
          <ul className={styles.rows} aria-label="Owners of damaged files">
            {damaged.owners.map(({ email, files }) => (
              <li key={email} className={styles.pair}>
                <bdi>{email ?? 'Deleted accounts'}</bdi>
                <span>{plural(files, 'file')}</span>
              </li>
            ))}
          </ul>
          {!damaged.isComplete && <p className={styles.lead}>Only the first of them were counted by owner.</p>}
        </>
      )}
      <div className={styles.foot}>
        <p className={styles.lead} role="status">
          {describeScrub(scrub)}
        </p>
        {scrub.state === 'idle' && (
          <BusyButton variant="default" loading={check.isPending} onClick={begin}>
            Check now
          </BusyButton>
        )}
      </div>
      {scrub.progress !== null && (
        <Progress className={styles.bar} value={scrub.progress * 100} aria-label="Progress of the check" />
      )}
    </Card>
  )
}

function describeScrub({ state, progress, endedAt }: StorageState['scrub']): string {
  const percent = progress === null ? '' : ` ${Math.floor(progress * 100)}% done.`
  if (state === 'running') return `A check is under way.${percent}`
  if (state === 'waiting') return `A check begins within a minute, or goes on.${percent}`
  return endedAt === null ? 'There was no check yet.' : `The last check ended ${formatMoment(endedAt)}.`
}

function LargestUsersCard({ users }: { readonly users: StorageState['largestUsers'] }) {
  return (
    <Card title="Largest users">
      {users.length === 0 ? (
        <p className={styles.lead}>Nobody has stored anything yet.</p>
      ) : (
        <ol className={styles.rows}>
          {users.map(({ id, email, usedBytes, allocatedBytes }) => (
            <li key={id} className={styles.pair}>
              <Anchor component={Link} inherit to={`/admin/users?search=${encodeURIComponent(email)}`}>
                <bdi>{email}</bdi>
              </Anchor>
              <span>
                {formatStorage(usedBytes)} of {formatStorage(allocatedBytes)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

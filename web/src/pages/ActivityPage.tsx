import { Button } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { ActivityList } from '../features/activity/ActivityList.tsx'
import { activityAddress } from '../features/activity/activity-address.ts'
import { useIsFolderGone } from '../features/activity/queries.ts'
import { folderAddress } from '../features/files/folder-address.ts'
import { useFolderPlace } from '../features/files/queries.ts'
import { DevicesNiche } from '../ui/art/niches.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './ActivityPage.module.css'

/** What happened in the whole drive, or in one folder: `/activity?folder=<id>`. */
export function ActivityPage() {
  const [parameters] = useSearchParams()
  const folderId = parameters.get('folder') || undefined
  const isGone = useIsFolderGone(folderId)
  return (
    <>
      <PageHeading>Activity</PageHeading>
      {isGone ? (
        <GoneFolder />
      ) : (
        <>
          {folderId !== undefined && <FolderLine folderId={folderId} />}
          <ActivityList key={folderId} folderId={folderId} addressOf={folderAddress} />
        </>
      )}
    </>
  )
}

function GoneFolder() {
  return (
    <EmptyState
      art={<DevicesNiche />}
      title="Folder not found"
      hint="It was deleted, or is no longer shared with you."
      action={
        <Button component={Link} to={activityAddress(undefined)}>
          All activity
        </Button>
      }
    />
  )
}

function FolderLine({ folderId }: { readonly folderId: string }) {
  const { name } = useFolderPlace(folderId)
  return (
    <p className={styles.folder}>
      <span>
        In{' '}
        <Link className={styles.link} to={folderAddress(folderId)}>
          <bdi dir="auto">{name}</bdi>
        </Link>{' '}
        and its subfolders
      </span>
      <Link className={styles.link} to={activityAddress(undefined)}>
        All activity
      </Link>
    </p>
  )
}

import { LoadError } from '../../ui/LoadError.tsx'
import { useTrash } from './queries.ts'
import { TrashBanner } from './TrashBanner.tsx'
import styles from './TrashContents.module.css'
import { TrashList } from './TrashList.tsx'

/** All that is in the trash. */
export function TrashContents() {
  const { data, isPending, isError, isFetching, refetch } = useTrash()
  return (
    <>
      <TrashBanner count={data ? data.files.length + data.folders.length : 0} />
      {isPending && (
        <p className={styles.loading} role="status">
          Loading trashed items...
        </p>
      )}
      {isError && !data && (
        <div className={styles.error}>
          <LoadError text="Unable to fetch trashed items." isBusy={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {data && (
        <>
          <TrashList heading="Trashed Folders" emptyText="No trashed folders." items={data.folders} />
          <TrashList heading="Trashed Files" emptyText="No trashed files." items={data.files} />
        </>
      )}
    </>
  )
}

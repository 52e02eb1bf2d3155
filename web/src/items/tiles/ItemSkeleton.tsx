import { Skeleton } from '@mantine/core'
import type { View } from '../grid/layout.ts'
import styles from './ItemSkeleton.module.css'

const LABEL = 'Loading files and folders'

/** What folders and files will look like, while they load. */
export function ItemSkeleton({ view = 'grid' }: { readonly view?: View }) {
  return view === 'list' ? <ListSkeleton /> : <GridSkeleton />
}

function GridSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label={LABEL}>
      <div className={styles.folders}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className={styles.folder}>
            <Skeleton w={38} h={30} radius={8} />
            <div className={styles.lines}>
              <Skeleton w="70%" h={10} />
              <Skeleton w="40%" h={8} />
            </div>
          </div>
        ))}
      </div>
      <div className={styles.files}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((key) => (
          <div key={key} className={styles.file}>
            <Skeleton className={styles.bed} radius={12} />
            <Skeleton w="75%" h={10} />
            <Skeleton w="45%" h={8} />
          </div>
        ))}
      </div>
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className={styles.rows} role="status" aria-label={LABEL}>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <div key={key} className={styles.row}>
          <Skeleton w={34} h={34} radius={10} />
          <Skeleton w="30%" h={10} />
        </div>
      ))}
    </div>
  )
}

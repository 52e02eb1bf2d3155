import { getDeletionPreview, type LostFolder } from '@alcove/contract/members'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { formatCount, plural } from '../../lib/format.ts'
import styles from './DeleteAccountModal.module.css'

interface LostFoldersProps {
  /** Opens what hands a folder over to one of its people. */
  readonly onHandOver: (folder: LostFolder) => void
}

/**
 * Lists the shared folders that other people lose with the account. Without any, or if they can't be fetched, it shows nothing: the
 * account can be deleted anyway.
 */
export function LostFolders({ onHandOver }: LostFoldersProps) {
  const { data } = useQuery({
    queryKey: ['deletion-preview'],
    queryFn: ({ signal }) => send(getDeletionPreview, {}, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  if (!data || data.total === 0) return null
  const others = data.total - data.sharedFolders.length
  return (
    <>
      <p className={styles.text}>
        {data.total === 1
          ? 'Other people use this shared folder. They lose it unless you hand it over to one of them first.'
          : 'Other people use these shared folders. They lose them unless you hand them over first.'}
      </p>
      <ul className={styles.folders} aria-label="Shared folders">
        {data.sharedFolders.map((folder) => (
          <li key={folder.id} className={styles.folder}>
            <div className={styles.used}>
              <bdi className={styles.account} dir="auto">
                {folder.name}
              </bdi>
              <p className={styles.people}>{describePeople(folder)}</p>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={`Hand over “${folder.name}”`}
              onClick={() => onHandOver(folder)}
            >
              Hand over
            </Button>
          </li>
        ))}
      </ul>
      {others > 0 && <p className={styles.text}>And {plural(others, 'other folder')}.</p>}
    </>
  )
}

function describePeople({ members, memberCount }: LostFolder): string {
  const names = members.map(({ email, displayName }) => displayName || email).join(', ')
  const others = memberCount - members.length
  const people = memberCount === 1 ? '1 person' : `${formatCount(memberCount)} people`
  return `${people}: ${names}${others > 0 ? ` and ${plural(others, 'other')}` : ''}`
}

import type { PublicFolderContents } from '@alcove/contract/sharing'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import styles from './LinkPath.module.css'
import { linkAddress, type Visit } from './link-address.ts'

interface LinkPathProps {
  readonly visit: Visit
  readonly folder: PublicFolderContents
}

/** The way from what is shared to the folder on show. */
export function LinkPath({ visit, folder }: LinkPathProps) {
  if (folder.path.length === 0) return null
  return (
    <nav aria-label="Folder path">
      <ol className={styles.steps}>
        {folder.path.map((step, index) => (
          <li key={step.id} className={styles.step}>
            <Link className={styles.crumb} to={linkAddress(visit, index === 0 ? undefined : step.id)}>
              <bdi dir="auto">{step.name}</bdi>
            </Link>
            <IconChevronRight className={styles.chevron} size={16} stroke={1.75} aria-hidden />
          </li>
        ))}
        <li className={styles.step}>
          <strong className={styles.crumb} aria-current="page">
            <bdi dir="auto">{folder.name}</bdi>
          </strong>
        </li>
      </ol>
    </nav>
  )
}

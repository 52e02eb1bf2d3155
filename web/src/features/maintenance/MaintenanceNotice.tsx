import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { storageQuery } from '../../api/fetch-storage.ts'
import { Notice } from '../../ui/Notice.tsx'
import styles from './MaintenanceNotice.module.css'

/** Reminds administrators that nobody else can use the server. */
export function MaintenanceNotice() {
  const { data } = useQuery({ ...storageQuery, refetchOnMount: false })
  if (!data?.in_maintenance) return null
  return (
    <div className={styles.notice}>
      <Notice
        tone="warning"
        text="Maintenance is on. Only administrators can use the server."
        action={
          <Button variant="default" size="xs" component={Link} to="/admin/appearance#maintenance">
            Settings of the maintenance
          </Button>
        }
      />
    </div>
  )
}

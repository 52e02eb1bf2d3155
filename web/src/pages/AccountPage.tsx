import { AccountStatusCard } from '../features/accounts/AccountStatusCard.tsx'
import { useSession } from '../lib/session.ts'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './AccountPage.module.css'

export function AccountPage() {
  const { email } = useSession()
  return (
    <>
      <PageHeading>
        Hello, <span className={styles.email}>{email}</span>
      </PageHeading>
      <div className={styles.cards}>
        <AccountStatusCard />
      </div>
    </>
  )
}

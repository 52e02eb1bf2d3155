import { AccountStatusCard } from '../features/accounts/AccountStatusCard.tsx'
import { DangerZoneCard } from '../features/accounts/DangerZoneCard.tsx'
import { DownloadDataCard } from '../features/accounts/DownloadDataCard.tsx'
import { PasskeysCard } from '../features/accounts/passkeys/PasskeysCard.tsx'
import { SessionsCard } from '../features/accounts/sessions/SessionsCard.tsx'
import { TwoFactorCard } from '../features/accounts/two-factor/TwoFactorCard.tsx'
import { UpdateEmailCard } from '../features/accounts/UpdateEmailCard.tsx'
import { UpdatePasswordCard } from '../features/accounts/UpdatePasswordCard.tsx'
import { BillingHistoryCard } from '../features/billing/BillingHistoryCard.tsx'
import { ManageSubscriptionCard } from '../features/billing/ManageSubscriptionCard.tsx'
import { PaymentMethodCard } from '../features/billing/PaymentMethodCard.tsx'
import { SubscriptionDetailsCard } from '../features/billing/SubscriptionDetailsCard.tsx'
import { UpdateCardForm } from '../features/billing/UpdateCardForm.tsx'
import { useCheckoutReturn } from '../features/billing/use-checkout-return.ts'
import { VaultLeftCard } from '../features/vault/VaultLeftCard.tsx'
import { useAccountEnding } from '../lib/account-ending.ts'
import { isPaid, useSession } from '../lib/session.ts'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './AccountPage.module.css'

/** Everything about the account: a stack is one place in the two columns. */
export function AccountPage() {
  const session = useSession()
  const hasPlan = isPaid(session)
  const isDeleted = useAccountEnding() === 'deleted'
  useCheckoutReturn()
  // Behind the farewell nothing may ask for what is not there any more.
  if (isDeleted) return null
  return (
    <>
      <PageHeading>
        Hello, <span className={styles.email}>{session.email}</span>
      </PageHeading>
      <div className={styles.cards}>
        <SubscriptionDetailsCard />
        <div className={styles.stack}>
          <AccountStatusCard />
          <PaymentMethodCard />
        </div>
        {/* The card's form goes with the plan. Then the password moves up to fill the row; its key keeps what is typed. */}
        {hasPlan && <UpdateCardForm key="card" />}
        <UpdateEmailCard key="email" />
        {!hasPlan && <UpdatePasswordCard key="password" />}
        {!hasPlan && <VaultLeftCard className={styles.wide} />}
        <div className={styles.wide} key="history">
          <BillingHistoryCard />
        </div>
        <div className={styles.stack}>
          <TwoFactorCard />
          <PasskeysCard />
        </div>
        <div className={styles.stack}>
          <SessionsCard />
          <DownloadDataCard />
        </div>
        {hasPlan && <UpdatePasswordCard key="password" />}
        <div className={styles.stack} data-pair={!hasPlan || undefined} key="ending">
          <ManageSubscriptionCard />
          <DangerZoneCard />
        </div>
      </div>
    </>
  )
}

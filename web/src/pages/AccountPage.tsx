import { useAccountEnding } from '../api/account-ending.ts'
import { isPaid, useSession } from '../api/session.ts'
import { AccountStatusCard } from '../features/accounts/AccountStatusCard.tsx'
import { DangerZoneCard } from '../features/accounts/DangerZoneCard.tsx'
import { DisplayNameCard } from '../features/accounts/DisplayNameCard.tsx'
import { DownloadDataCard } from '../features/accounts/DownloadDataCard.tsx'
import { PasskeysCard } from '../features/accounts/passkeys/PasskeysCard.tsx'
import { SessionsCard } from '../features/accounts/sessions/SessionsCard.tsx'
import { TwoFactorCard } from '../features/accounts/two-factor/TwoFactorCard.tsx'
import { UpdateEmailCard } from '../features/accounts/UpdateEmailCard.tsx'
import { UpdatePasswordCard } from '../features/accounts/UpdatePasswordCard.tsx'
import { BillingHistoryCard } from '../features/billing/BillingHistoryCard.tsx'
import { PaymentMethodCard } from '../features/billing/card/PaymentMethodCard.tsx'
import { UpdateCardForm } from '../features/billing/card/UpdateCardForm.tsx'
import { ManageSubscriptionCard } from '../features/billing/ManageSubscriptionCard.tsx'
import { PaidFeaturesCard } from '../features/billing/plans/PaidFeaturesCard.tsx'
import { useCheckoutReturn } from '../features/billing/plans/use-checkout-return.ts'
import { SubscriptionDetailsCard } from '../features/billing/SubscriptionDetailsCard.tsx'
import { VaultLeftCard } from '../features/vault/VaultLeftCard.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './AccountPage.module.css'
import { AccountSection, AccountSections } from './AccountSections.tsx'

/** Everything about the account, in sections; a stack is one place in their two columns. */
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
      <AccountSections>
        <AccountSection id="account" title="Account">
          <div className={styles.stack}>
            <AccountStatusCard />
            <DisplayNameCard />
          </div>
          <UpdateEmailCard />
        </AccountSection>
        <AccountSection id="billing" title="Plan and billing">
          <SubscriptionDetailsCard />
          <div className={styles.stack}>
            <PaymentMethodCard />
            <ManageSubscriptionCard />
          </div>
          {/* The card's form goes with the plan. */}
          {hasPlan && (
            <div className={styles.wide}>
              <UpdateCardForm />
            </div>
          )}
          {!hasPlan && (
            <div className={styles.wide}>
              <PaidFeaturesCard linksToPlans />
            </div>
          )}
          {!hasPlan && <VaultLeftCard className={styles.wide} />}
          <div className={styles.wide} key="history">
            <BillingHistoryCard />
          </div>
        </AccountSection>
        <AccountSection id="security" title="Security">
          <UpdatePasswordCard />
          <div className={styles.stack}>
            <TwoFactorCard />
            <PasskeysCard />
          </div>
          <div className={styles.wide}>
            <SessionsCard />
          </div>
        </AccountSection>
        <AccountSection id="data" title="Your data">
          <DownloadDataCard />
          <DangerZoneCard />
        </AccountSection>
      </AccountSections>
    </>
  )
}

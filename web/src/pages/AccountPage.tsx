import { NO_PLAN_NAME } from '@alcove/contract/plans'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { useAccountEnding } from '../api/api.ts'
import { isPaid, useSession } from '../api/session.ts'
import { AppPasswordsCard } from '../features/accounts/app-passwords/AppPasswordsCard.tsx'
import { CONNECT_APP, createdAppPassword } from '../features/accounts/app-passwords/created-app-password.ts'
import { DangerZoneCard, DownloadDataCard } from '../features/accounts/DataCards.tsx'
import { DisplayNameCard } from '../features/accounts/DisplayNameCard.tsx'
import { AccountStatusCard, UpdateEmailCard } from '../features/accounts/EmailCards.tsx'
import { PasskeysCard } from '../features/accounts/passkeys/PasskeysCard.tsx'
import { SessionsCard } from '../features/accounts/sessions/SessionsCard.tsx'
import { LinkedProvidersCard } from '../features/accounts/single-sign-on/LinkedProvidersCard.tsx'
import { TwoFactorCard } from '../features/accounts/two-factor/TwoFactorCard.tsx'
import { UpdatePasswordCard } from '../features/accounts/UpdatePasswordCard.tsx'
import { BillingHistoryCard } from '../features/billing/BillingHistoryCard.tsx'
import { PaymentMethodCard } from '../features/billing/card/PaymentMethodCard.tsx'
import { UpdateCardForm } from '../features/billing/card/UpdateCardForm.tsx'
import { ManageSubscriptionCard } from '../features/billing/ManageSubscriptionCard.tsx'
import { useCheckoutReturn } from '../features/billing/plans/checkout-return.ts'
import { PaidFeaturesCard } from '../features/billing/plans/PaidFeaturesCard.tsx'
import { SubscriptionDetailsCard } from '../features/billing/SubscriptionDetailsCard.tsx'
import { NoticesCard } from '../features/notices/NoticesCard.tsx'
import { openMembers } from '../features/sharing/members/open-members.ts'
import { VaultLeftCard } from '../features/vault/VaultLeftCard.tsx'
import { lazyModule } from '../lib/lazy-module.ts'
import { hasPlans } from '../lib/site.ts'
import { CardHeadingLevel } from '../ui/Card.tsx'
import { openLater } from '../ui/dialogs/dialogs.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './AccountPage.module.css'

const createAppPassword = lazyModule(() => import('./create-app-password.ts'))

/** Everything about the account, in sections of two columns. A stack is one cell of those. */
export function AccountPage() {
  const session = useSession()
  const hasPlan = isPaid(session)
  // On a server without plans, only those who have bought one see it.
  const showsBilling = hasPlans() || session.planName !== NO_PLAN_NAME
  const isDeleted = useAccountEnding() === 'deleted'
  const navigate = useNavigate()
  useCheckoutReturn()
  const createPasswordForApp = () =>
    void openLater(createAppPassword, ({ openCreateAppPassword }) =>
      openCreateAppPassword({
        onSetUp: (created) => {
          createdAppPassword.set(created)
          void navigate(CONNECT_APP)
        },
      }),
    )
  // Behind the farewell, nothing may request data of the deleted account.
  if (isDeleted) return null
  return (
    <>
      <PageHeading>
        Hello, <span className={styles.email}>{session.email}</span>
      </PageHeading>
      <AccountSections isWithout={showsBilling ? undefined : 'billing'}>
        <AccountSection id="account">
          <div className={styles.stack}>
            <AccountStatusCard />
            <DisplayNameCard />
          </div>
          <UpdateEmailCard />
          <div className={styles.wide}>
            <NoticesCard />
          </div>
        </AccountSection>
        {showsBilling && (
          <AccountSection id="billing">
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
        )}
        <AccountSection id="security">
          <UpdatePasswordCard />
          <div className={styles.stack}>
            <TwoFactorCard />
            <PasskeysCard />
            <LinkedProvidersCard />
          </div>
          <div className={styles.wide}>
            <SessionsCard />
          </div>
          <div className={styles.wide}>
            <AppPasswordsCard onCreate={createPasswordForApp} />
          </div>
        </AccountSection>
        <AccountSection id="data">
          <DownloadDataCard />
          <DangerZoneCard onHandOver={({ id, name }) => openMembers({ id, name })} />
        </AccountSection>
      </AccountSections>
    </>
  )
}

const sectionTitles = {
  account: 'Account',
  billing: 'Plan and billing',
  security: 'Security',
  data: 'Your data',
}

interface AccountSectionsProps {
  /** A section that this account doesn't have. */
  readonly isWithout?: keyof typeof sectionTitles
  readonly children: ReactNode
}

/** The sections, with links to them on wide screens. */
function AccountSections({ isWithout, children }: AccountSectionsProps) {
  const sections = Object.entries(sectionTitles).filter(([id]) => id !== isWithout)
  return (
    <CardHeadingLevel.Provider value={3}>
      <nav className={styles.navigation} aria-label="Sections of this page">
        <ul className={styles.links}>
          {sections.map(([id, title]) => (
            <li key={id}>
              <Link className={styles.link} to={`#${id}`} replace onClick={() => focusSection(id)}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </CardHeadingLevel.Provider>
  )
}

/** Moves the focus to the section. The router scrolls there. */
function focusSection(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true })
}

interface AccountSectionProps {
  readonly id: keyof typeof sectionTitles
  /** Cards, in two columns on wide screens. */
  readonly children: ReactNode
}

function AccountSection({ id, children }: AccountSectionProps) {
  return (
    <div className={styles.section}>
      <h2 className={styles.title} id={id} tabIndex={-1}>
        {sectionTitles[id]}
      </h2>
      <div className={styles.cards}>{children}</div>
    </div>
  )
}

import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { hasOwnLegalText, hasPlans, siteName, supportEmail } from '../lib/site.ts'
import { LegalSection, LegalText } from '../ui/LegalText.tsx'

const OwnLegalText = lazy(async () => ({
  default: (await import('../features/legal/OwnLegalText.tsx')).OwnLegalText,
}))

export function TermsOfServicePage() {
  if (!hasOwnLegalText('terms')) return <ProductText />
  return (
    <Suspense fallback={null}>
      <OwnLegalText document="terms" title="Terms of Service" />
    </Suspense>
  )
}

function ProductText() {
  return (
    <LegalText
      title="Terms of Service"
      effective="September 1st 2025"
      lead={`These terms are the agreement between you and ${siteName}. By creating an account, you accept them. If you do not agree with them, please do not use ${siteName}.`}
    >
      <LegalSection title={`What ${siteName} is`}>
        <p>
          {siteName} stores files for individual people. You can upload, organize, preview and share files and folders
          within the storage of your{' '}
          {hasPlans() ? 'plan. Paid plans also include the vault, music and video.' : 'account.'}
        </p>
      </LegalSection>

      <LegalSection title="Who may use it">
        <p>You must be at least 13 years old.</p>
        {hasPlans() && (
          <p>
            Each person may have one account on the free tier. We may close further free accounts of the same person.
          </p>
        )}
        <p>
          An account needs an email address that belongs to you. You have to confirm it before you can sign in. Choose a
          password that you use nowhere else and keep it secret: you are responsible for what is done with your account.
        </p>
        <p>
          If you turn on two-factor sign-in, keep the recovery codes. Without them and without your app, you can no
          longer sign in with your password.
        </p>
      </LegalSection>

      <LegalSection title="Your files">
        <p>
          Your files stay yours. You give us only the permissions that we need to run {siteName}: to store, copy,
          convert and send your files as you ask.
        </p>
        <p>
          A public link lets anyone who has it view and download the item, until you disable it. Think before you share
          one.
        </p>
        <p>Do not use {siteName} to</p>
        <ul>
          <li>store or share what the law forbids, or what you have no right to share;</li>
          <li>spread malware, or attack, overload or circumvent the limits of {siteName} or any other system;</li>
          <li>resell storage, or create accounts automatically.</li>
        </ul>
        <p>We may suspend or close an account that breaks these rules, and disable its public links.</p>
      </LegalSection>

      <LegalSection title="The vault">
        <p>
          {hasPlans() ? 'The vault is a feature of paid plans. It' : 'The vault'} encrypts the content of files in your
          browser with a passphrase that never leaves it, so we have no knowledge of what is inside. The names of files
          and folders stay readable.
        </p>
        <p>A lost passphrase cannot be recovered: neither you nor we can open the files without it.</p>
        {hasPlans() && (
          <p>
            When your paid plan ends, nothing in the vault is deleted, and you can still download its contents from the
            account screen.
          </p>
        )}
      </LegalSection>

      {hasPlans() && (
        <LegalSection title="Plans and payment">
          <p>
            The free tier costs nothing. Paid plans are subscriptions, billed monthly or annually, or a one-time
            lifetime purchase. Prices are in US dollars and shown before you buy.
          </p>
          <p>
            Payments are handled by a card payment provider. Your card details go to the provider and never reach us.
          </p>
          <p>
            A subscription renews automatically at the end of each billing period. You can cancel at any time in the
            billing portal; you then keep the paid plan until the end of the billing period. If you choose Revert to
            Free Plan instead, the change takes effect immediately.
          </p>
          <p>
            If a payment fails, you keep the paid plan for seven days. After that, the account returns to the free tier.
          </p>
          <p>Payments are not refunded.</p>
          <p>
            A lifetime purchase gives you its plan for as long as {siteName} is offered. It replaces a running
            subscription.
          </p>
          <p>
            If you store more than your plan allows, nothing is deleted, but you cannot upload until there is free space
            again.
          </p>
        </LegalSection>
      )}

      <LegalSection title="Ending the agreement">
        <p>
          You can delete your account at any time on the account screen. This cancels a running subscription and removes
          your data immediately. It cannot be undone.
        </p>
        <p>
          We may end the service, or an account, with reasonable notice, so that you can download your files first. No
          notice is needed if these terms are seriously violated or the law requires it.
        </p>
      </LegalSection>

      <LegalSection title="What we can and cannot promise">
        <p>
          We work to keep your files safe and available, but no service is free of faults. {siteName} is provided as is.
          Keep a copy elsewhere of anything that you cannot afford to lose.
        </p>
        <p>
          As far as the law allows, we are not liable for indirect losses, and in total for no more than what you have
          paid us in the twelve months before the loss. Your legal rights as a consumer are not affected.
        </p>
      </LegalSection>

      <LegalSection title="Changes and contact">
        <p>
          When these terms change, we publish the new text here with its date. We announce important changes by email
          beforehand. If you do not agree with them, you can delete your account.
        </p>
        <p>
          How we handle your information is described in the <Link to="/privacy-policy">Privacy Policy</Link>. Questions
          go to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      </LegalSection>
    </LegalText>
  )
}

import { VisuallyHidden } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { hasOwnLegalText, hasPlans, siteName, supportEmail, useBackupRetention } from '../lib/site.ts'
import { LegalSection, LegalText } from '../ui/LegalText.tsx'
import styles from './PrivacyPolicyPage.module.css'

const OwnLegalText = lazy(async () => ({
  default: (await import('../features/legal/OwnLegalText.tsx')).OwnLegalText,
}))

export function PrivacyPolicyPage() {
  if (!hasOwnLegalText('privacy')) return <ProductText />
  return (
    <Suspense fallback={null}>
      <OwnLegalText document="privacy" title="Privacy Policy" />
    </Suspense>
  )
}

function ProductText() {
  const backupRetention = useBackupRetention()
  return (
    <LegalText
      title="Privacy Policy"
      effective="September 1st 2025"
      lead={`${siteName} stores your files and collects as little about you as possible. This page explains what we collect, why, and when we delete it.`}
    >
      <LegalSection title="What we collect">
        <p>
          The only personal information we collect from you is your email address. We do not ask for your name, address
          or phone.
        </p>
        <p>We also store what you upload and what we need to run your account:</p>
        <ul>
          <li>the files and folders that you upload, with their names, sizes and dates;</li>
          <li>your public links, and how often each was used to download something;</li>
          <li>your password, only as a hash from which it cannot be recovered;</li>
          <li>
            for each session, the kind of browser and device, its network (IP) address, and when it started and was last
            used: you can see all of this on the account screen, and it is deleted when the session ends;
          </li>
          <li>
            for a year, the kinds of browsers and the parts of the network from which you have signed in, so that we can
            notify you when someone signs in from elsewhere;
          </li>
          <li>
            if you turn on two-factor sign-in, the secret that is also in your app, encrypted, and your recovery codes
            as hashes;
          </li>
          <li>
            if you add passkeys, their public keys, the names you give them, and when they were used. Your fingerprint
            or face never leaves your device;
          </li>
          <li>your plan, and your customer number at the card payment provider if you have bought one.</li>
        </ul>
      </LegalSection>

      <LegalSection title="What we use it for">
        <p>
          You sign in with your email address. We send emails to it to confirm your account, to let you choose a new
          password, and to notify you of changes to your account, new sign-ins and payments. We do not send advertising,
          and we do not sell or rent any of your data.
        </p>
        <p>
          We use your files only to store them, to show them to you and to share them as you choose. Our server reads
          files outside the vault to create previews. A public link shows one item to anyone who has the link, and
          nothing else of yours.
        </p>
        <p>
          To prevent password guessing, the server counts failed attempts by email and network address for a short time.
        </p>
      </LegalSection>

      <LegalSection title="The vault">
        <p>
          The vault is a zero-knowledge feature{hasPlans() && ' of paid plans'}. Files are encrypted in your browser
          before they are sent. The passphrase and the key never reach us, so we cannot read the content, nor recover it
          if you lose the passphrase. We can see names, sizes and dates.
        </p>
      </LegalSection>

      <LegalSection title="Your browser">
        <p>
          When you sign in, your session is a JSON Web Token (JWT). It is stored in the local storage of your browser
          and removed when you sign out or the session expires. Your email address, your plan, your display preferences
          and the list of unfinished uploads are stored there too.
        </p>
        <p>
          We set no advertising or tracking cookies and load nothing from advertising networks. The fields for card
          details come from the card payment provider, which may set its own cookies to prevent fraud.
        </p>
      </LegalSection>

      <LegalSection title="Payments">
        <p>
          Payments are handled by a card payment provider. Card details go from your browser to the provider; we see
          only the brand, the last four digits and the expiry date. The provider receives your email address, handles
          your information under its own privacy policy, and keeps records of payments for as long as the law requires.
        </p>
      </LegalSection>

      <LegalSection title="How long we keep it">
        <p>
          We keep your files until you delete them. Items in the trash are deleted permanently after the time shown
          there. When you replace a file, its old content stays in the file&apos;s version history, which says how long
          it is kept. You can delete earlier versions at any time.
        </p>
        <p>
          When you delete your account, your data is removed immediately: your email address, your files, the vault, the
          trash and your sessions. It cannot be undone.
        </p>
        <p>
          Backups may still hold deleted data until they are overwritten, after{' '}
          {backupRetention ?? (
            <span className={styles.blank}>
              <VisuallyHidden component="span">(not stated)</VisuallyHidden>
            </span>
          )}
          .
        </p>
      </LegalSection>

      <LegalSection title="Children">
        <p>
          {siteName} is for people who are at least 13 years old. If we learn that an account belongs to someone
          younger, we delete it.
        </p>
      </LegalSection>

      <LegalSection title="Your rights">
        <p>
          On the account screen you can download all data we have about you, change your email address, and delete your
          account. To exercise any other right that the law gives you, write to us.
        </p>
      </LegalSection>

      <LegalSection title="Changes and contact">
        <p>
          When this policy changes, we publish the new text here with its date. The{' '}
          <Link to="/terms-of-service">Terms of Service</Link> apply as well.
        </p>
        <p>
          Questions about privacy go to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      </LegalSection>
    </LegalText>
  )
}

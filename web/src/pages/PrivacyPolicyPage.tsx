import { VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import { supportEmail, useBackupRetention } from '../lib/site.ts'
import { LegalSection, LegalText } from '../ui/LegalText.tsx'
import styles from './PrivacyPolicyPage.module.css'

export function PrivacyPolicyPage() {
  const backupRetention = useBackupRetention()
  return (
    <LegalText
      title="Privacy Policy"
      effective="September 1st 2025"
      lead="Alcove keeps your files and knows as little as possible about you. This page says what we collect, what for, and when it is gone."
    >
      <LegalSection title="What we collect">
        <p>
          The only personal information we collect from you is your email address. We do not ask for your name, address
          or phone.
        </p>
        <p>We also keep what you bring and what running your account takes:</p>
        <ul>
          <li>the files and folders that you upload, with their names, sizes and dates;</li>
          <li>your public links, and how often each was used for a download;</li>
          <li>your password, only as a hash from which it cannot be read back;</li>
          <li>
            for each session, the kind of browser and device, its network (IP) address, and when it was opened and last
            used: you see all of it on the account screen, and it goes when the session ends;
          </li>
          <li>
            from which kind of browser and which part of the network you have signed in, for a year, so that we can
            write to you when someone signs in from elsewhere;
          </li>
          <li>
            if you turn on two-factor sign-in, the secret that your app has too, encrypted, and your recovery codes as
            hashes;
          </li>
          <li>
            if you add passkeys, their public keys, the names you give them, and when they were used. Your fingerprint
            or face never leaves your device;
          </li>
          <li>your plan, and a reference to you at the card payment provider if you have bought one.</li>
        </ul>
      </LegalSection>

      <LegalSection title="What we use it for">
        <p>
          Your email address is your name for signing in. We write to it to confirm your account, to let you choose a
          new password, and to tell you of changes to your account, of new sign-ins and of payments. We do not send
          advertising, and we do not sell or rent anything we hold.
        </p>
        <p>
          Your files are used for nothing but storing them, showing them to you and passing them on as you say. Files
          outside the vault are read by our server to make previews. A public link shows an item to whoever has the
          link, and nothing else of yours.
        </p>
        <p>
          To stop the guessing of passwords, the server counts failed attempts by email and network address for a short
          time.
        </p>
      </LegalSection>

      <LegalSection title="The vault">
        <p>
          The vault is a zero-knowledge feature of paid plans. Files are encrypted in your browser before they are sent.
          The passphrase and the key never reach us, so we cannot read the content, nor restore it when the passphrase
          is lost. What we do see are names, sizes and dates.
        </p>
      </LegalSection>

      <LegalSection title="Your browser">
        <p>
          When you sign in, your session is a JSON Web Token (JWT). It is kept in the local storage of your browser and
          removed from there when you sign out or the session expires. Your email address and plan are kept beside it,
          and so are how you like things shown and which uploads are unfinished.
        </p>
        <p>
          We set no advertising or tracking cookies and load nothing from advertising networks. The fields for card
          details come from the card payment provider, which may set cookies of its own against fraud.
        </p>
      </LegalSection>

      <LegalSection title="Payments">
        <p>
          Payments are handled by a card payment provider. Card details go from your browser to the provider; we see
          only the brand, the last four digits and the expiry date. The provider is told your email address, treats your
          information by its own privacy policy, and keeps records of payments for as long as the law asks.
        </p>
      </LegalSection>

      <LegalSection title="How long we keep it">
        <p>
          Your files stay until you delete them. Items in the trash are deleted for good after the time shown there.
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
          Alcove is for people who are at least 13 years old. When we learn that an account belongs to someone younger,
          we delete it.
        </p>
      </LegalSection>

      <LegalSection title="Your rights">
        <p>
          On the account screen you can download all that we keep of you, change your email address, and delete your
          account yourself. For anything else the law entitles you to, write to us.
        </p>
      </LegalSection>

      <LegalSection title="Changes and contact">
        <p>
          When this policy changes, the new text appears here with its date. The{' '}
          <Link to="/terms-of-service">Terms of Service</Link> apply as well.
        </p>
        <p>
          Questions about privacy go to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      </LegalSection>
    </LegalText>
  )
}

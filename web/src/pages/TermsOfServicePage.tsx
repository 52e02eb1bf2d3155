import { Link } from 'react-router'
import { supportEmail } from '../lib/site.ts'
import { LegalSection, LegalText } from '../ui/LegalText.tsx'

export function TermsOfServicePage() {
  return (
    <LegalText
      title="Terms of Service"
      effective="September 1st 2025"
      lead="These terms are the agreement between you and Alcove. By opening an account you accept them. If you do not agree with them, please do not use Alcove."
    >
      <LegalSection title="What Alcove is">
        <p>
          Alcove stores files for individual people. You can upload, arrange, preview and share files and folders,
          within the storage of your plan. Paid plans also open the vault, music and video.
        </p>
      </LegalSection>

      <LegalSection title="Who may use it">
        <p>You must be at least 13 years old.</p>
        <p>Each person may have one account on the free tier. We may close further free accounts of the same person.</p>
        <p>
          An account needs an email address that is yours. It has to be confirmed before you can sign in. Choose a
          password that you use nowhere else and keep it to yourself: what is done with your account counts as done by
          you.
        </p>
        <p>
          If you turn on two-factor sign-in, keep the recovery codes. Without them and without your app you can no
          longer sign in with your password.
        </p>
      </LegalSection>

      <LegalSection title="Your files">
        <p>
          Your files stay yours. You give us permission only for what running Alcove takes: storing, copying, converting
          and sending them as you ask.
        </p>
        <p>
          A public link lets anyone who has it view and download the item, until you disable it. Think before you pass
          one on.
        </p>
        <p>Do not use Alcove to</p>
        <ul>
          <li>store or share what the law forbids, or what you have no right to share;</li>
          <li>spread malware, or attack, overload or get around the limits of Alcove or any other system;</li>
          <li>resell storage, or open accounts by a program.</li>
        </ul>
        <p>We may suspend or close an account that does so, and disable its public links.</p>
      </LegalSection>

      <LegalSection title="The vault">
        <p>
          The vault is a feature of paid plans. It encrypts the content of files in your browser with a passphrase that
          never leaves it, so we have no knowledge of what is inside. The names of files and folders stay readable.
        </p>
        <p>A lost passphrase is lost: neither you nor we can open the files without it.</p>
        <p>
          When your paid plan ends, nothing in the vault is deleted, and you can still download what is in it from the
          account screen.
        </p>
      </LegalSection>

      <LegalSection title="Plans and payment">
        <p>
          The free tier costs nothing. Paid plans are subscriptions, billed monthly or annually, or a one-time lifetime
          purchase. Prices are in US dollars and shown before you buy.
        </p>
        <p>Payments are handled by a card payment provider. Your card details go to the provider and never reach us.</p>
        <p>
          A subscription renews by itself at the end of each billing period. You can cancel any time in the billing
          portal; you then keep the paid plan until the end of the billing period. If you choose Revert to Free Plan
          instead, the change takes effect at once.
        </p>
        <p>
          When a payment fails, you keep the paid plan for seven days. After that the account goes back to the free
          tier.
        </p>
        <p>Payments are not refunded.</p>
        <p>
          A lifetime purchase gives you its plan for as long as Alcove is offered. It replaces a running subscription.
        </p>
        <p>
          When you hold more than your plan has room for, nothing is deleted. New uploads wait until there is room
          again.
        </p>
      </LegalSection>

      <LegalSection title="Ending it">
        <p>
          You can delete your account at any time on the account screen. That cancels a running subscription and removes
          your data immediately. It cannot be undone.
        </p>
        <p>
          We may end the service, or an account, with reasonable notice, so that you can download your files first. No
          notice is needed where these terms are seriously broken or the law demands it.
        </p>
      </LegalSection>

      <LegalSection title="What we can and cannot promise">
        <p>
          We work to keep your files safe and within reach, but no service is free of faults. Alcove is provided as it
          is. Keep a copy elsewhere of anything that you cannot afford to lose.
        </p>
        <p>
          As far as the law allows, we are not liable for indirect losses, and in total for no more than what you have
          paid us in the twelve months before the loss. Rights that the law gives you as a consumer stay untouched.
        </p>
      </LegalSection>

      <LegalSection title="Changes and contact">
        <p>
          When these terms change, the new text appears here with its date. Changes that matter are announced by email
          beforehand; if you do not agree with them, you can delete your account.
        </p>
        <p>
          How we treat your information is described in the <Link to="/privacy-policy">Privacy Policy</Link>. Questions
          go to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      </LegalSection>
    </LegalText>
  )
}

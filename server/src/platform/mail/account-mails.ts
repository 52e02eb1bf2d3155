import type { Mail } from './mailer.ts'
import { writeLetter } from './write-letter.ts'

/** Whom a mail is for, and the origin that its link leads to. */
interface Addressing {
  to: string
  publicUrl: string
}

export function activationMail({ to, publicUrl, token }: Addressing & { token: string }): Mail {
  return writeLetter({
    kind: 'activation',
    to,
    subject: 'Activate your Alcove account',
    preview: 'Then you can sign in.',
    heading: 'Welcome to Alcove',
    paragraphs: ['Your account is made. Activate it, and sign in to your room.'],
    action: { text: 'Activate your account', url: `${publicUrl}/activate?token=${token}` },
    closing: ['The link works once, within 48 hours. If you did not open an account, you need not do anything.'],
  })
}

/** After a change of address: the account waits until the new one has proved to be its user's. */
export function confirmEmailMail({ to, publicUrl, token }: Addressing & { token: string }): Mail {
  return writeLetter({
    kind: 'confirm-email',
    to,
    subject: 'Confirm your new email address',
    preview: 'Your Alcove account waits for it.',
    heading: 'Confirm your new address',
    paragraphs: [
      `The email address of your Alcove account was changed to ${to}. Until you confirm it, you cannot sign in again.`,
    ],
    action: { text: 'Confirm this address', url: `${publicUrl}/activate?token=${token}` },
    closing: [
      'The link works once, within 48 hours. If you have no Alcove account, someone mistyped theirs: do not open the link.',
    ],
  })
}

/** To the address that was replaced. */
export function emailChangedMail({
  to,
  newEmail,
  supportEmail,
  publicUrl,
}: Addressing & { newEmail: string; supportEmail: string }): Mail {
  return writeLetter({
    kind: 'email-changed',
    to,
    subject: 'The email address of your Alcove account was changed',
    preview: `It is now ${newEmail}.`,
    heading: 'Your email address was changed',
    paragraphs: [
      `The Alcove account at ${publicUrl} that had this address now has another one. You sign in with it once it is confirmed, and this is the last mail that comes here.`,
    ],
    details: [
      ['Before', to],
      ['Now', newEmail],
    ],
    closing: [`If this was not you, someone else has your password: write to ${supportEmail} at once.`],
  })
}

export function resetMail({ to, publicUrl, token }: Addressing & { token: string }): Mail {
  return writeLetter({
    kind: 'reset',
    to,
    subject: 'Reset your Alcove password',
    preview: 'The link works once, within an hour.',
    heading: 'Choose a new password',
    paragraphs: ['You asked to reset the password of your Alcove account.'],
    action: { text: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
    closing: [
      'The link works once, within an hour. If you did not ask for it, you need not do anything: your password stays as it is.',
    ],
  })
}

export function passwordChangedMail({ to, supportEmail }: { to: string; supportEmail: string }): Mail {
  return writeLetter({
    kind: 'password-changed',
    to,
    subject: 'Your Alcove password was changed',
    preview: 'If this was not you, act now.',
    heading: 'Your password was changed',
    paragraphs: ['The password of your Alcove account was changed, and you were signed out everywhere.'],
    closing: [`If this was not you, choose 'Forgot Password?' where you sign in, and write to ${supportEmail}.`],
  })
}

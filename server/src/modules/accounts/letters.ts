import type { SecurityChange } from '@alcove/contract/notices'
import { type Brand, productBrand } from '../../platform/mail/brand.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { formatTime, writeLetter } from '../../platform/mail/write-letter.ts'
import { describeMailSettings } from '../notices/index.ts'

/** The recipient, and the origin of its links. */
interface Addressing {
  brand?: Brand
  to: string
  publicUrl: string
}

export function activationMail({ to, publicUrl, token, brand = productBrand }: Addressing & { token: string }): Mail {
  return writeLetter(
    {
      kind: 'activation',
      to,
      subject: `Activate your ${brand.name} account`,
      preview: 'Activate your account to sign in.',
      heading: `Welcome to ${brand.name}`,
      paragraphs: ['Your account has been created. Activate it to sign in.'],
      action: { text: 'Activate your account', url: `${publicUrl}/activate?token=${token}` },
      closing: [
        'The link works once and expires after 48 hours. If you didn’t create an account, you can ignore this email.',
      ],
    },
    brand,
  )
}

/** Asks the user to confirm a new address. */
export function confirmEmailMail({ to, publicUrl, token, brand = productBrand }: Addressing & { token: string }): Mail {
  return writeLetter(
    {
      kind: 'confirm-email',
      to,
      subject: 'Confirm your new email address',
      preview: 'You need to confirm it before you can sign in again.',
      heading: 'Confirm your new address',
      paragraphs: [
        `The email address of your ${brand.name} account was changed to ${to}. You can’t sign in again until you confirm it.`,
      ],
      action: { text: 'Confirm this address', url: `${publicUrl}/activate?token=${token}` },
      closing: [
        `The link works once and expires after 48 hours. If you don’t have an account at ${brand.name}, someone entered your address by mistake. In that case, don’t open the link.`,
      ],
    },
    brand,
  )
}

/** Informs the previous address of the change. */
export function emailChangedMail({
  to,
  newEmail,
  supportEmail,
  publicUrl,
  brand = productBrand,
}: Addressing & { newEmail: string; supportEmail: string }): Mail {
  return writeLetter(
    {
      kind: 'email-changed',
      to,
      subject: `The email address of your ${brand.name} account was changed`,
      preview: `It is now ${newEmail}.`,
      heading: 'Your email address was changed',
      paragraphs: [
        `The ${brand.name} account at ${publicUrl} that used this address now uses another one. Once you have confirmed the new address, sign in with it. We won’t send any more emails to this address.`,
      ],
      details: [
        ['Old address', to],
        ['New address', newEmail],
      ],
      closing: [`If you didn’t do this, someone else knows your password. Write to ${supportEmail} immediately.`],
    },
    brand,
  )
}

export function resetMail({ to, publicUrl, token, brand = productBrand }: Addressing & { token: string }): Mail {
  return writeLetter(
    {
      kind: 'reset',
      to,
      subject: `Reset your ${brand.name} password`,
      preview: 'The link works once and expires after one hour.',
      heading: 'Choose a new password',
      paragraphs: [`You asked to reset the password of your ${brand.name} account.`],
      action: { text: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
      closing: [
        'The link works once and expires after one hour. If you didn’t ask for it, you can ignore this email. Your password stays the same.',
      ],
    },
    brand,
  )
}

export function passwordChangedMail({
  to,
  supportEmail,
  brand = productBrand,
}: Pick<Addressing, 'to' | 'brand'> & { supportEmail: string }): Mail {
  return writeLetter(
    {
      kind: 'password-changed',
      to,
      subject: `Your ${brand.name} password was changed`,
      preview: 'If you didn’t do this, act now.',
      heading: 'Your password was changed',
      paragraphs: [`The password of your ${brand.name} account was changed, and you were signed out everywhere.`],
      closing: [`If you didn’t do this, choose 'Forgot Password?' on the sign-in page and write to ${supportEmail}.`],
    },
    brand,
  )
}

interface SignIn {
  brand?: Brand
  to: string
  /** Browser and system, for example `Firefox on Linux`. */
  device: string
  ip: string
  /** Milliseconds since 1970. */
  at: number
  publicUrl: string
}

export function newSignInMail({ to, device, ip, at, publicUrl, brand = productBrand }: SignIn): Mail {
  return writeLetter(
    {
      kind: 'new-sign-in',
      to,
      subject: `New sign-in to your ${brand.name} account`,
      preview: `${device}, ${formatTime(at)}`,
      heading: 'New sign-in',
      paragraphs: [`Someone signed in to your ${brand.name} account from a new device.`],
      details: [
        ['Device', device],
        ['IP address', ip],
        ['Time', formatTime(at)],
      ],
      action: { text: 'See where you are signed in', url: `${publicUrl}/account` },
      closing: [
        'If this was you, you can ignore this email. If not, sign out that device and change your password.',
        describeMailSettings(publicUrl),
      ],
    },
    brand,
  )
}

/** The name of each change and its effect. */
const changes: Readonly<Record<SecurityChange, { name: string; effect: string }>> = {
  two_factor_on: {
    name: 'Two-factor sign-in was turned on',
    effect: 'You now sign in with your password and a code from your authenticator app.',
  },
  two_factor_off: {
    name: 'Two-factor sign-in was turned off',
    effect: 'You now sign in with your password only.',
  },
  recovery_codes_renewed: {
    name: 'Your recovery codes were replaced',
    effect: 'The old recovery codes no longer work.',
  },
  passkey_added: {
    name: 'A passkey was added',
    effect: 'Anyone who can unlock that passkey can sign in to your account.',
  },
  passkey_removed: {
    name: 'A passkey was removed',
    effect: 'You can no longer sign in with that passkey.',
  },
  app_password_created: {
    name: 'An app password was created',
    effect: 'An app can use it to open your files without your password. Your account page lists all app passwords.',
  },
  identity_linked: {
    name: 'A sign-in provider was linked',
    effect: 'You can now sign in through that provider. Your account page lists all linked providers.',
  },
  identity_unlinked: {
    name: 'The link to a sign-in provider was removed',
    effect: 'You can no longer sign in through that provider.',
  },
}

interface Security {
  brand?: Brand
  to: string
  change: SecurityChange
  publicUrl: string
  supportEmail: string
}

export function securityChangedMail({ to, change, publicUrl, supportEmail, brand = productBrand }: Security): Mail {
  const { name, effect } = changes[change]
  return writeLetter(
    {
      kind: 'security-changed',
      to,
      subject: `${name} - ${brand.name}`,
      preview: effect,
      heading: name,
      paragraphs: [`The sign-in settings of your ${brand.name} account have changed. ${effect}`],
      action: { text: 'Open your account', url: `${publicUrl}/account` },
      closing: [
        `If you didn’t do this, change your password. If you can’t sign in, write to ${supportEmail}.`,
        describeMailSettings(publicUrl),
      ],
    },
    brand,
  )
}

interface Support extends Addressing {
  supportEmail: string
}

export function deletionMail({
  to,
  publicUrl,
  supportEmail,
  dueAt,
  brand = productBrand,
}: Support & { dueAt: number }): Mail {
  return writeLetter(
    {
      kind: 'deletion',
      to,
      subject: `Your ${brand.name} account will be deleted`,
      preview: `On ${formatTime(dueAt)}, with all its files.`,
      heading: 'Your account will be deleted',
      paragraphs: [
        `An administrator of ${publicUrl} has decided to delete your account with all its files. Until then the account is suspended: you can’t sign in, and your links and shared folders don’t work.`,
      ],
      details: [
        ['Account', to],
        ['Deletion', formatTime(dueAt)],
      ],
      closing: [`To keep the account, or to get your files first, write to ${supportEmail} before that time.`],
    },
    brand,
  )
}

export function deletionCanceledMail({ to, publicUrl, supportEmail, brand = productBrand }: Support): Mail {
  return writeLetter(
    {
      kind: 'deletion-canceled',
      to,
      subject: `Your ${brand.name} account will not be deleted`,
      preview: 'An administrator has canceled the deletion.',
      heading: 'Your account stays',
      paragraphs: [`An administrator of ${publicUrl} has canceled the deletion of your account.`],
      action: { text: 'Sign in', url: `${publicUrl}/login` },
      closing: [`If you can’t sign in, write to ${supportEmail}.`],
    },
    brand,
  )
}

import { formatTime } from './format.ts'
import type { Mail } from './mailer.ts'
import { writeLetter } from './write-letter.ts'

interface SignIn {
  to: string
  /** Browser and system, like `Firefox on Linux`. */
  device: string
  ip: string
  /** Milliseconds since 1970. */
  at: number
  publicUrl: string
}

export function newSignInMail({ to, device, ip, at, publicUrl }: SignIn): Mail {
  return writeLetter({
    kind: 'new-sign-in',
    to,
    subject: 'New sign-in to your Alcove account',
    preview: `${device}, ${formatTime(at)}`,
    heading: 'A new sign-in',
    paragraphs: ['Someone signed in to your Alcove account from a device that it has not seen before.'],
    details: [
      ['Device', device],
      ['IP address', ip],
      ['Time', formatTime(at)],
    ],
    action: { text: 'See where you are signed in', url: `${publicUrl}/account` },
    closing: [
      'If this was you, you need not do anything. If not, sign that device out there and change your password.',
    ],
  })
}

/** What each change is called, and what it means from now on. */
const changes = {
  two_factor_on: {
    name: 'Two-factor sign-in was turned on',
    effect: 'Signing in now takes your password and a code from your authenticator app.',
  },
  two_factor_off: {
    name: 'Two-factor sign-in was turned off',
    effect: 'Signing in now takes your password alone.',
  },
  recovery_codes_renewed: {
    name: 'Your recovery codes were renewed',
    effect: 'The old recovery codes no longer work.',
  },
  passkey_added: {
    name: 'A passkey was added',
    effect: 'Whoever has the device with that passkey can sign in to your account.',
  },
  passkey_removed: {
    name: 'A passkey was removed',
    effect: 'That passkey no longer opens your account.',
  },
} as const

export type SecurityChange = keyof typeof changes

interface Security {
  to: string
  change: SecurityChange
  publicUrl: string
  supportEmail: string
}

export function securityChangedMail({ to, change, publicUrl, supportEmail }: Security): Mail {
  const { name, effect } = changes[change]
  return writeLetter({
    kind: 'security-changed',
    to,
    subject: `${name} - Alcove`,
    preview: effect,
    heading: name,
    paragraphs: [`This is about how you sign in to your Alcove account. ${effect}`],
    action: { text: 'Open your account', url: `${publicUrl}/account` },
    closing: [`If this was not you, change your password, and write to ${supportEmail} if you cannot sign in.`],
  })
}

import { escapeHtml } from '../escape-html.ts'
import type { Mail } from './mailer.ts'

/** Whom a mail is for, and the origin that its link leads to. */
interface Addressing {
  to: string
  publicUrl: string
}

export function activationMail({ to, publicUrl, token }: Addressing & { token: string }): Mail {
  return write(to, {
    kind: 'activation',
    subject: 'Activate your Alcove account',
    opening: 'Welcome to Alcove. Open this link to activate your account:',
    link: { text: 'Activate your account', url: `${publicUrl}/activate?token=${token}` },
    closing: 'The link works once, within 48 hours. If you did not open an account, you need not do anything.',
  })
}

export function resetMail({ to, publicUrl, token }: Addressing & { token: string }): Mail {
  return write(to, {
    kind: 'reset',
    subject: 'Reset your Alcove password',
    opening: 'You asked to reset the password of your Alcove account. Open this link to choose a new one:',
    link: { text: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
    closing:
      'The link works once, within an hour. If you did not ask for it, you need not do anything: your password stays as it is.',
  })
}

export function passwordChangedMail({ to, supportEmail }: { to: string; supportEmail: string }): Mail {
  return write(to, {
    kind: 'password-changed',
    subject: 'Your Alcove password was changed',
    opening: 'The password of your Alcove account was changed, and you were signed out everywhere.',
    closing: `If this was not you, choose 'Forgot Password?' where you sign in, and write to ${supportEmail}.`,
  })
}

interface Letter {
  kind: string
  subject: string
  opening: string
  link?: { text: string; url: string }
  closing: string
}

function write(to: string, { kind, subject, opening, link, closing }: Letter): Mail {
  const text = [opening, ...(link ? [link.url] : []), closing].join('\n\n')
  const html = [
    `<p>${escapeHtml(opening)}</p>`,
    ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>`] : []),
    `<p>${escapeHtml(closing)}</p>`,
  ].join('\n')
  return { kind, to, subject, text: `${text}\n`, html: `${html}\n`, link: link?.url }
}

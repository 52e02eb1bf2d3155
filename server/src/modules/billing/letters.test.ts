import { securityChanges } from '@alcove/contract/notices'
import { describe, expect, it } from 'vitest'
import { productBrand } from '../../platform/mail/brand.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { formatMail } from '../../platform/mail/outbox.ts'
import { invitationToServerMail } from '../accounts/invitations/invitation-letter.ts'
import {
  activationMail,
  confirmEmailMail,
  emailChangedMail,
  newSignInMail,
  passwordChangedMail,
  resetMail,
  securityChangedMail,
} from '../accounts/letters.ts'
import { noticesMail } from '../notices/notice-mails.ts'
import { paymentFailedMail, planEndedMail, planEndReasons, receiptMail } from './letters.ts'

const addressing = { to: 'mara@example.com', publicUrl: 'https://alcove.example' }
const supportEmail = 'help@alcove.example'
const token = 'q3V7u9dQx2mB8sKfLw0ZpT5nRjYcEaHi4oGvUb1Xk6M'
const at = Date.UTC(2026, 4, 2, 7, 5)

/** Returns every mail. Each text that comes from outside is passed through `text`. */
function allMails(text: (what: string) => string): Mail[] {
  const plan = { ...addressing, planName: text('2 TB Annually') }
  const payment = { ...plan, number: text('A1B2-0007'), total: 9999, currency: 'usd' }
  return [
    activationMail({ ...addressing, token }),
    confirmEmailMail({ ...addressing, token }),
    emailChangedMail({ ...addressing, newEmail: text('new@example.com'), supportEmail }),
    resetMail({ ...addressing, token }),
    invitationToServerMail({
      ...addressing,
      url: `https://alcove.example/invitation#${token}`,
      expiresAt: at,
      brand: productBrand,
    }),
    passwordChangedMail({ to: text(addressing.to), supportEmail }),
    newSignInMail({ ...addressing, device: text('Firefox on Linux'), ip: text('192.0.2.7'), at }),
    ...securityChanges.map((change) => securityChangedMail({ ...addressing, change, supportEmail })),
    noticesMail({ ...addressing, parts: [{ subject: text('Storage is full'), text: text('It is full.') }], total: 1 }),
    noticesMail({
      ...addressing,
      parts: [
        { subject: 'One', text: text('One.') },
        { subject: 'Two', text: 'Two.' },
      ],
      total: 5,
    }),
    receiptMail({ ...payment, pdfUrl: 'https://pay.example/invoice.pdf?a=1&b="2"' }),
    receiptMail({ ...payment, pdfUrl: null }),
    paymentFailedMail({ ...plan, amount: 9999, currency: 'usd', graceUntil: at }),
    ...planEndReasons.map((reason) =>
      planEndedMail({ ...plan, usedBytes: 2 ** 40, allocatedBytes: 10 * 2 ** 30, reason, arePlansOn: true }),
    ),
  ]
}

const mails = allMails((what) => what)

describe('every mail', () => {
  it('has text of at most 72 columns, with the link alone on its line', () => {
    for (const { text, link, subject } of mails) {
      for (const line of text.split('\n')) expect(line.length <= 72 || line === link, `${subject}: ${line}`).toBe(true)
      if (link) expect(text.split('\n'), subject).toContain(link)
      expect(text).not.toMatch(/<\/?[a-z]|&#|undefined|NaN|\[object/i)
    }
  })

  it('links to its address by a button and in plain text, and to nothing else', () => {
    for (const { html, link = '', subject } of mails) {
      const href = link.replaceAll('&', '&#38;').replaceAll('"', '&#34;')
      const found = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address)
      expect(found, subject).toEqual(link ? [href, href] : [])
      if (link) expect(html).toContain(`>${href}</a>`)
      expect(link === '' || URL.canParse(link)).toBe(true)
    }
  })

  it('loads no external content, runs no scripts and stays below 20 kB', () => {
    for (const mail of mails) {
      expect(mail.html).not.toMatch(/<(img|script|link|iframe|form|object|base)\b|url\(|@import|\bsrc=|background=/i)
      expect(Buffer.byteLength(mail.html)).toBeLessThan(20_000)
      for (const line of formatMail(mail, supportEmail, new Date(at)).split('\n')) {
        expect(Buffer.byteLength(line), line).toBeLessThan(998)
      }
    }
  })

  it('has a language, a title, a heading and a dark colour scheme', () => {
    for (const { html, subject } of mails) {
      expect(html).toMatch(/^<!doctype html>\n<html lang="en"/)
      expect(html).toContain(`<title>${subject}</title>`)
      expect(html.match(/<h1 /g)).toHaveLength(1)
      expect(html).toContain('<meta name="color-scheme" content="light dark">')
      expect(html).toContain('@media (prefers-color-scheme: dark)')
      // Each class has a dark colour, and each element a light one.
      for (const [, role] of html.matchAll(/class="(\w+)[^"]*" (?:bgcolor="#\w+" )?style="[\w-]*color:#/g)) {
        expect(html).toMatch(new RegExp(`^\\.${role} \\{ [\\w-]*color: #\\w{6} !important \\}$`, 'm'))
      }
    }
  })

  it('escapes texts from outside, so that they add no markup, lines or headers', () => {
    const evil = (what: string) => `${what}"><img src=x><script>x</script>\r\nBcc: all@example.com\u2028\u202Egnp`
    for (const mail of allMails(evil)) {
      expect(mail.html).not.toMatch(/<(img|script)/i)
      expect(mail.html).not.toMatch(/[\u2028\u202E]/)
      expect(mail.text).not.toMatch(/[\r\u2028\u202E]/)
      expect(`${mail.subject}${mail.to}`).not.toMatch(/[\r\n]/)
      const file = formatMail(mail, supportEmail, new Date(at))
      expect(file.slice(0, file.indexOf('\n\n'))).not.toMatch(/^Bcc:/m)
    }
  })

  it('has a kind that is safe in a file name', () => {
    for (const { kind } of mails) expect(kind).toMatch(/^[a-z-]+$/)
  })
})

describe('a billing mail', () => {
  const plan = { ...addressing, planName: '500 GB Annually' }

  it('names the amount, the plan and the invoice, and links to the PDF', () => {
    const mail = receiptMail({ ...plan, number: 'A-7', total: 4999, currency: 'usd', pdfUrl: 'https://pay.example/7' })
    expect(mail).toMatchObject({ subject: 'Your Alcove receipt A-7', link: 'https://pay.example/7' })
    expect(mail.text).toContain('Plan:    500 GB Annually\nInvoice: A-7\nPaid:    $49.99\n')
    const yen = receiptMail({ ...plan, number: 'A-7', total: 4999, currency: 'jpy', pdfUrl: null })
    expect(yen.text).toContain('Paid:    ¥4,999\n')
    expect(yen.link).toBe('https://alcove.example/account')
  })

  it('says until when the plan stays active after a failed payment', () => {
    const mail = paymentFailedMail({ ...plan, amount: 4999, currency: 'usd', graceUntil: at })
    expect(mail.text).toContain('Plan active until: 2 May 2026\n')
    expect(mail.link).toBe('https://alcove.example/account')
  })

  it('says that nothing was deleted, and explains the storage limit only to users above it', () => {
    const ended = (usedBytes: number) =>
      planEndedMail({ ...plan, usedBytes, allocatedBytes: 10 * 2 ** 30, reason: 'canceled', arePlansOn: true }).text
    expect(ended(10 * 2 ** 30)).toContain('Nothing was deleted.')
    expect(ended(10 * 2 ** 30)).not.toContain('more than the free plan allows')
    expect(ended(412.6 * 2 ** 30)).toContain('more than the free plan allows')
    expect(ended(412.6 * 2 ** 30)).toContain('Storage used: 412.60 GB\nFree plan:    10.00 GB\n')
    expect(ended(0)).toContain('Storage used: 0 B\n')
  })
})

it('names the device, IP address and time in the mail about a new sign-in', () => {
  const { text, link } = newSignInMail({ ...addressing, device: 'Firefox on Linux', ip: '192.0.2.7', at })
  expect(text).toContain('Device:     Firefox on Linux\nIP address: 192.0.2.7\nTime:       2 May 2026 at 07:05 UTC\n')
  expect(link).toBe('https://alcove.example/account')
})

import type { Mail } from '../../platform/mail/mailer.ts'
import { formatAmount, formatDate, formatStorage, writeLetter } from '../../platform/mail/write-letter.ts'

interface Billing {
  to: string
  /** As the product shows it, like `2 TB Annually`. */
  planName: string
  publicUrl: string
}

interface Receipt extends Billing {
  /** Of the invoice. */
  number: string
  /** In the smallest unit of the currency, like cents. */
  total: number
  /** Of three letters, like `usd`. */
  currency: string
  /** Where the invoice lies; null where there is none. */
  pdfUrl: string | null
}

export function receiptMail({ to, number, total, currency, planName, pdfUrl, publicUrl }: Receipt): Mail {
  const amount = formatAmount(total, currency)
  return writeLetter({
    kind: 'receipt',
    to,
    subject: `Your Alcove receipt ${number}`,
    preview: `${amount} for ${planName}`,
    heading: 'Thank you',
    paragraphs: ['Your payment has arrived. This is your receipt.'],
    details: [
      ['Plan', planName],
      ['Invoice', number],
      ['Paid', amount],
    ],
    action: pdfUrl
      ? { text: 'Download the invoice (PDF)', url: pdfUrl }
      : { text: 'Open your account', url: `${publicUrl}/account` },
    closing: ['All your invoices and your payment method are on the Account page.'],
  })
}

interface FailedPayment extends Billing {
  /** In the smallest unit of the currency, like cents. */
  amount: number
  currency: string
  /** Until when the plan stays: milliseconds since 1970. */
  graceUntil: number
}

export function paymentFailedMail({ to, planName, amount, currency, graceUntil, publicUrl }: FailedPayment): Mail {
  const until = formatDate(graceUntil)
  return writeLetter({
    kind: 'payment-failed',
    to,
    subject: 'Your Alcove payment failed',
    preview: `Your plan stays until ${until}.`,
    heading: 'Your payment failed',
    paragraphs: [
      `The payment for your plan did not go through. Your plan stays as it is until ${until}, so that there is time to mend this: see whether the card is still good, or give another one.`,
    ],
    details: [
      ['Plan', planName],
      ['Amount', formatAmount(amount, currency)],
      ['Plan stays until', until],
    ],
    action: { text: 'Update your card', url: `${publicUrl}/account` },
    closing: [`Without a payment the account goes back to the free plan after ${until}. No file is deleted by that.`],
  })
}

/** Why a plan ended, and how the mail says so. */
const reasons = {
  payment_failed: (planName: string) =>
    `The payment for your plan, ${planName}, kept failing, so your account is on the free plan now.`,
  canceled: (planName: string) =>
    `Your plan, ${planName}, was canceled and its paid time is over, so your account is on the free plan now.`,
  reverted: (planName: string) => `You ended your plan, ${planName}, and your account is on the free plan now.`,
} as const

export type PlanEndReason = keyof typeof reasons
export const planEndReasons = Object.keys(reasons) as PlanEndReason[]

interface EndedPlan extends Billing {
  usedBytes: number
  /** What the free plan allows. */
  allocatedBytes: number
  reason: PlanEndReason
}

export function planEndedMail({ to, planName, usedBytes, allocatedBytes, publicUrl, reason }: EndedPlan): Mail {
  const isOver = usedBytes > allocatedBytes
  return writeLetter({
    kind: 'plan-ended',
    to,
    subject: 'Your Alcove plan has ended',
    preview: 'Nothing was deleted.',
    heading: 'Your plan has ended',
    paragraphs: [
      reasons[reason](planName),
      'Nothing was deleted. Vault, music and video are closed on the free plan and open again with a paid one. Until then, your account page lets you take out what is in the vault.',
      ...(isOver
        ? [
            'You are storing more than the free plan allows. You can still see, download, share and delete your files, but not upload until you have deleted enough or chosen a larger plan.',
          ]
        : []),
    ],
    details: [
      ['Stored', formatStorage(usedBytes)],
      ['Free plan', formatStorage(allocatedBytes)],
    ],
    action: { text: 'See the plans', url: `${publicUrl}/subscriptions` },
    closing: ['You need not do anything to keep what you have stored.'],
  })
}

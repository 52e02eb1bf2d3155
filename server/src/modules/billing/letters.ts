import { type Brand, productBrand } from '../../platform/mail/brand.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { formatAmount, formatDate, formatStorage, writeLetter } from '../../platform/mail/write-letter.ts'

interface Billing {
  brand?: Brand
  to: string
  /** As shown in the product, for example `2 TB Annually`. */
  planName: string
  publicUrl: string
}

interface Receipt extends Billing {
  /** The invoice number. */
  number: string
  /** In the smallest unit of the currency, for example cents. */
  total: number
  /** Three letters, for example `usd`. */
  currency: string
  /** The URL of the invoice PDF, or null. */
  pdfUrl: string | null
}

export function receiptMail({
  to,
  number,
  total,
  currency,
  planName,
  pdfUrl,
  publicUrl,
  brand = productBrand,
}: Receipt): Mail {
  const amount = formatAmount(total, currency)
  return writeLetter(
    {
      kind: 'receipt',
      to,
      subject: `Your ${brand.name} receipt ${number}`,
      preview: `${amount} for ${planName}`,
      heading: 'Thank you',
      paragraphs: ['We have received your payment. This is your receipt.'],
      details: [
        ['Plan', planName],
        ['Invoice', number],
        ['Paid', amount],
      ],
      action: pdfUrl
        ? { text: 'Download the invoice (PDF)', url: pdfUrl }
        : { text: 'Open your account', url: `${publicUrl}/account` },
      closing: ['All your invoices and your payment method are on the Account page.'],
    },
    brand,
  )
}

interface FailedPayment extends Billing {
  /** In the smallest unit of the currency, like cents. */
  amount: number
  currency: string
  /** When the plan ends: milliseconds since 1970. */
  graceUntil: number
}

export function paymentFailedMail({
  to,
  planName,
  amount,
  currency,
  graceUntil,
  publicUrl,
  brand = productBrand,
}: FailedPayment): Mail {
  const until = formatDate(graceUntil)
  return writeLetter(
    {
      kind: 'payment-failed',
      to,
      subject: `Your ${brand.name} payment failed`,
      preview: `You keep your plan until ${until}.`,
      heading: 'Your payment failed',
      paragraphs: [
        `The payment for your plan failed. You keep your plan until ${until}, so you have time to fix this. Check that your card is still valid, or use another one.`,
      ],
      details: [
        ['Plan', planName],
        ['Amount', formatAmount(amount, currency)],
        ['Plan active until', until],
      ],
      action: { text: 'Update your card', url: `${publicUrl}/account` },
      closing: [
        `If we don’t receive a payment by ${until}, your account returns to the free plan. None of your files are deleted.`,
      ],
    },
    brand,
  )
}

/** The beginning of the sentence for each reason why a plan ended. */
const reasons = {
  payment_failed: (planName: string) => `The payment for your plan, ${planName}, failed repeatedly`,
  canceled: (planName: string) => `Your plan, ${planName}, was canceled and its paid period has ended`,
  reverted: (planName: string) => `You ended your plan, ${planName}`,
} as const

export type PlanEndReason = keyof typeof reasons
export const planEndReasons = Object.keys(reasons) as PlanEndReason[]

interface EndedPlan extends Billing {
  usedBytes: number
  /** The storage limit without the plan. */
  allocatedBytes: number
  reason: PlanEndReason
  /** Whether the server still has plans. Without them, the account keeps everything but the storage. */
  arePlansOn: boolean
}

export function planEndedMail(ended: EndedPlan): Mail {
  const { to, planName, usedBytes, allocatedBytes, publicUrl, reason, arePlansOn, brand = productBrand } = ended
  const isOver = usedBytes > allocatedBytes
  const now = `${reason === 'reverted' ? ', and' : ', so'} your account is now on the free plan`
  return writeLetter(
    {
      kind: 'plan-ended',
      to,
      subject: `Your ${brand.name} plan has ended`,
      preview: 'Nothing was deleted.',
      heading: 'Your plan has ended',
      paragraphs: [
        `${reasons[reason](planName)}${arePlansOn ? now : ''}.`,
        arePlansOn
          ? 'Nothing was deleted. The vault, music and video are part of the paid plans. Until you choose a paid plan, you can download the contents of your vault from the Account page.'
          : 'Nothing was deleted. You keep the vault, music and video.',
        ...(isOver
          ? [
              `You are storing more than ${arePlansOn ? 'the free plan' : 'your account'} allows. You can still view, download, share and delete your files. To upload again, delete some files${arePlansOn ? ' or choose a larger plan' : ''}.`,
            ]
          : []),
      ],
      details: [
        ['Storage used', formatStorage(usedBytes)],
        [arePlansOn ? 'Free plan' : 'Storage limit', formatStorage(allocatedBytes)],
      ],
      action: arePlansOn
        ? { text: 'See the plans', url: `${publicUrl}/subscriptions` }
        : { text: `Open ${brand.name}`, url: `${publicUrl}/profile` },
      closing: ['You don’t need to do anything to keep your files.'],
    },
    brand,
  )
}

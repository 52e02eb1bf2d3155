import PDFDocument from 'pdfkit'
import type { Invoice } from '../stripe-objects.ts'
import { formatDate, formatMoney } from '../text.ts'

/** Renders an invoice as a PDF. */
export function renderInvoice(invoice: Invoice): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    lang: 'en',
    info: { Title: `Invoice ${invoice.number}`, Author: 'Alcove', CreationDate: new Date(invoice.created * 1000) },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  pdf.on('end', () => resolve(Buffer.concat(chunks)))
  pdf.on('error', reject)

  const money = (cents: number) => formatMoney(cents, invoice.currency)
  pdf.fontSize(10).text('Test payments. No money was charged, and none is owed.').moveDown()
  pdf.fontSize(24).text(`Invoice ${invoice.number}`).moveDown(0.5)
  pdf.fontSize(10)
  pdf.text(`From: ${invoice.account_name}`)
  pdf.text(`Billed to: ${invoice.customer_email ?? invoice.customer_name ?? ''}`)
  pdf.text(`Date of issue: ${formatDate(invoice.created)}`)
  pdf.text(`Status: ${invoice.status}`).moveDown()
  const lines = invoice.lines.data.map(({ description, period: { start, end }, amount }) => {
    const period = start === end ? formatDate(start) : `${formatDate(start)} to ${formatDate(end)}`
    return [`${description}\n${period}`, money(amount)]
  })
  const credit = invoice.amount_due - invoice.total
  const sums = [
    ['Total', money(invoice.total)],
    ...(credit === 0 ? [] : [[credit < 0 ? 'Credit used' : 'Credit kept for later', money(credit)]]),
    [invoice.status === 'paid' ? 'Amount paid' : 'Amount due', money(invoice.amount_due)],
  ]
  pdf.table({
    columnStyles: ['*', { width: 100, align: { x: 'right' } }],
    data: [['Description', 'Amount'], ...lines, ...sums],
  })
  pdf.end()
  return promise
}

import { formatDate, formatMoney } from '../format.ts'
import type { Invoice, InvoiceLine } from '../stripe-objects.ts'
import { BOTTOM, colors, LEFT, LINING, RIGHT, TOP, WIDTH } from './layout.ts'

const AMOUNT_WIDTH = 90
const TEXT_WIDTH = WIDTH - AMOUNT_WIDTH - 16

/** The lines and their sum, over as many pages as they need; the foot of the page stays free. */
export function drawLines(pdf: PDFKit.PDFDocument, invoice: Invoice, top: number): void {
  let y = drawColumns(pdf, top)
  for (const line of invoice.lines.data) {
    const height = heightOf(pdf, line)
    if (y + height > BOTTOM) {
      pdf.addPage()
      y = drawColumns(pdf, TOP)
    }
    drawLine(pdf, line, y)
    y += height
  }
  if (y + 130 > BOTTOM) {
    pdf.addPage()
    y = TOP
  }
  drawSums(pdf, invoice, y)
}

function drawColumns(pdf: PDFKit.PDFDocument, y: number): number {
  pdf.font('bold').fontSize(9.5).fillColor(colors.quiet).text('Description', LEFT, y)
  pdf.text('Amount', RIGHT - AMOUNT_WIDTH, y, { width: AMOUNT_WIDTH, align: 'right' })
  rule(pdf, y + 18)
  return y + 18
}

function heightOf(pdf: PDFKit.PDFDocument, { description }: InvoiceLine): number {
  return (
    pdf
      .font('bold')
      .fontSize(11)
      .heightOfString(description ?? '', { width: TEXT_WIDTH }) + 38
  )
}

function drawLine(pdf: PDFKit.PDFDocument, line: InvoiceLine, y: number): void {
  pdf.font('bold').fontSize(11).fillColor(colors.text)
  pdf.text(formatMoney(line.amount, line.currency), RIGHT - AMOUNT_WIDTH, y + 12, {
    width: AMOUNT_WIDTH,
    align: 'right',
  })
  pdf.text(line.description ?? '', LEFT, y + 12, { width: TEXT_WIDTH })
  pdf
    .font('sans')
    .fontSize(9.5)
    .fillColor(colors.quiet)
    .text(describePeriod(line), LEFT, pdf.y + 1)
  rule(pdf, y + heightOf(pdf, line))
}

function describePeriod({ period: { start, end } }: InvoiceLine): string {
  return start === end ? formatDate(start) : `${formatDate(start)} to ${formatDate(end)}`
}

function drawSums(pdf: PDFKit.PDFDocument, invoice: Invoice, top: number): void {
  const money = (cents: number) => formatMoney(cents, invoice.currency)
  const credit = invoice.amount_due - invoice.total
  const sums: [string, string][] = [
    ['Subtotal', money(invoice.subtotal)],
    ['Tax', money(0)],
    ['Total', money(invoice.total)],
    ...(credit === 0
      ? []
      : [[credit < 0 ? 'Credit used' : 'Credit kept for later', money(credit)] as [string, string]]),
  ]
  const left = LEFT + WIDTH / 2
  let y = top + 16
  pdf.font('sans').fontSize(10.5)
  for (const [label, amount] of sums) {
    pdf.fillColor(colors.quiet).text(label, left, y)
    pdf.fillColor(colors.text).text(amount, RIGHT - AMOUNT_WIDTH, y, { width: AMOUNT_WIDTH, align: 'right' })
    y += 19
  }
  pdf
    .moveTo(left, y + 2)
    .lineTo(RIGHT, y + 2)
    .lineWidth(0.75)
    .stroke(colors.line)
  pdf.font('serif').fontSize(14).fillColor(colors.text)
  pdf.text(invoice.status === 'paid' ? 'Amount paid' : 'Amount due', left, y + 12)
  pdf.text(money(invoice.amount_due), RIGHT - AMOUNT_WIDTH, y + 12, {
    width: AMOUNT_WIDTH,
    align: 'right',
    features: LINING,
  })
}

function rule(pdf: PDFKit.PDFDocument, y: number): void {
  pdf.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).stroke(colors.line)
}

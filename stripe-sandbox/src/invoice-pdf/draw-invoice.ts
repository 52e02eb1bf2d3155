import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { formatDate, formatMoney } from '../format.ts'
import type { Invoice } from '../stripe-objects.ts'
import { drawLines } from './draw-lines.ts'
import { drawLogo } from './draw-logo.ts'
import { BAND, BOTTOM, colors, LEFT, LINING, RIGHT, TOP, WIDTH } from './layout.ts'

// WOFF, and not WOFF2: pdfkit's reader of fonts fails on letters with accents in the latter.
const fonts = {
  serif: fileURLToPath(import.meta.resolve('@fontsource/young-serif/files/young-serif-latin-400-normal.woff')),
  sans: fileURLToPath(import.meta.resolve('@fontsource/hanken-grotesk/files/hanken-grotesk-latin-400-normal.woff')),
  bold: fileURLToPath(import.meta.resolve('@fontsource/hanken-grotesk/files/hanken-grotesk-latin-600-normal.woff')),
}

/** An invoice on paper: A4, as many pages as its lines need, each with the band that says what it is worth. */
export function drawInvoice(invoice: Invoice): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: 'en',
    info: { Title: `Invoice ${invoice.number}`, Author: 'Alcove', CreationDate: new Date(invoice.created * 1000) },
  })
  for (const [name, path] of Object.entries(fonts)) pdf.registerFont(name, path)
  const bytes = collect(pdf)
  pdf.on('pageAdded', () => drawBand(pdf))
  pdf.addPage()
  drawHead(pdf, invoice)
  drawLines(pdf, invoice, TOP + 232)
  drawFoot(pdf, invoice)
  pdf.end()
  return bytes
}

function collect(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  pdf.on('end', () => resolve(Buffer.concat(chunks)))
  pdf.on('error', reject)
  return promise
}

function drawBand(pdf: PDFKit.PDFDocument): void {
  pdf.rect(0, 0, pdf.page.width, BAND).fill(colors.lamp)
  pdf.roundedRect(LEFT, 9, 92, 18, 5).fill(colors.lampDark)
  pdf
    .font('bold')
    .fontSize(9.5)
    .fillColor(colors.lampLight)
    .text('Test payments', LEFT, 12.5, { width: 92, align: 'center' })
  pdf
    .font('sans')
    .fillColor(colors.lampDark)
    .text('Made for trying things out. No money was charged, and none is owed.', LEFT + 104, 12.5)
}

function drawHead(pdf: PDFKit.PDFDocument, invoice: Invoice): void {
  drawLogo(pdf, LEFT, TOP)
  pdf
    .font('serif')
    .fontSize(30)
    .fillColor(colors.text)
    .text('Invoice', LEFT, TOP + 62)
  const details = [
    ['Invoice number', invoice.number ?? ''],
    ['Date of issue', formatDate(invoice.created)],
    ['Payment', describePayment(invoice)],
  ]
  details.forEach(([label, value], index) => {
    const y = TOP + 116 + index * 17
    pdf
      .font('sans')
      .fontSize(10)
      .fillColor(colors.quiet)
      .text(label ?? '', LEFT, y)
    pdf.fillColor(colors.text).text(value ?? '', LEFT + 96, y)
  })
  const column = LEFT + 300
  pdf.fillColor(colors.quiet).text('Billed to', column, TOP + 116)
  pdf.fillColor(colors.text).text(invoice.customer_email ?? invoice.customer_name ?? '', column, TOP + 133, {
    width: RIGHT - column,
  })
  pdf.font('serif').fontSize(16).fillColor(colors.text)
  pdf.text(headline(invoice), LEFT, TOP + 190, { width: WIDTH, features: LINING })
}

function headline({ status, total, amount_due, currency, created, status_transitions }: Invoice): string {
  if (status === 'void') return 'This invoice is void'
  if (status === 'paid' && total < 0) return `${formatMoney(-total, currency)} credited on ${formatDate(created)}`
  const day = formatDate(status_transitions.paid_at ?? created)
  return status === 'paid'
    ? `${formatMoney(amount_due, currency)} paid on ${day}`
    : `${formatMoney(amount_due, currency)} due since ${formatDate(created)}`
}

function describePayment({ status }: Invoice): string {
  const words: Readonly<Record<string, string>> = { paid: 'Paid', open: 'Open', void: 'Void' }
  return words[status ?? ''] ?? 'Open'
}

function drawFoot(pdf: PDFKit.PDFDocument, invoice: Invoice): void {
  const y = BOTTOM + 16
  pdf.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).stroke(colors.line)
  pdf.font('sans').fontSize(9).fillColor(colors.quiet)
  pdf.text('Alcove. Questions about this invoice? Write to the support address on your account page.', LEFT, y + 12)
  pdf.text(invoice.number ?? '', LEFT, y + 12, { width: WIDTH, align: 'right' })
}

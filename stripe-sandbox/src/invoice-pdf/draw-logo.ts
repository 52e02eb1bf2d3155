import { colors } from './layout.ts'

/** The arch and the name. */
export function drawLogo(pdf: PDFKit.PDFDocument, x: number, y: number): void {
  pdf.save().translate(x, y).scale(0.92)
  pdf.path('M0 31V14a14 14 0 0 1 28 0v17z').fill(colors.juniper)
  pdf.path('M7.5 31V17a8 8 0 0 1 16 0v14z').fill(colors.juniperDark)
  pdf.path('M10.5 31V17.5a6.5 6.5 0 0 1 13 0V31z').fill(colors.light)
  pdf.restore()
  pdf
    .font('serif')
    .fontSize(22)
    .fillColor(colors.text)
    .text('Alcove', x + 38, y + 1)
}

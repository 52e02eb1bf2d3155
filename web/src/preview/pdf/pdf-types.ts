import type { DocumentCallback, PageCallback } from 'react-pdf/dist/shared/types.js'

export type PdfDocument = DocumentCallback
export type PdfPage = PageCallback

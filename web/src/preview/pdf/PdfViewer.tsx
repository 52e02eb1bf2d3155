import { useState } from 'react'
import { Document } from 'react-pdf'
import type { OnPasswordCallback } from 'react-pdf/dist/shared/types.js'
import 'react-pdf/dist/Page/AnnotationLayer.css'
import 'react-pdf/dist/Page/TextLayer.css'
import { PreviewSpinner } from '../PreviewSpinner.tsx'
import type { ViewerProps } from '../viewer.ts'
import { PdfPages } from './PdfPages.tsx'
import { PdfPasswordForm } from './PdfPasswordForm.tsx'
import styles from './PdfViewer.module.css'
import { ItemTransport, pdfOptions } from './pdf-source.ts'
import type { PdfDocument } from './pdf-types.ts'

interface Question {
  readonly response: OnPasswordCallback
  readonly isAgain: boolean
}

/** What pdf.js gives as the reason for asking a second time. */
const WRONG_PASSWORD = 2

/** Shows a PDF: no script in it runs, and its links open beside the page. */
export function PdfViewer({ item, isInline, onFail }: ViewerProps) {
  const [options] = useState(() => pdfOptions(item))
  const [file] = useState(() => ({ range: new ItemTransport(item, () => onFail('unreachable')) }))
  const [pdf, setPdf] = useState<PdfDocument>()
  const [question, setQuestion] = useState<Question>()
  const [jump, setJump] = useState<{ readonly page: number }>()

  return (
    <div className={styles.viewer}>
      {!pdf && !question && <PreviewSpinner />}
      {question && !pdf && (
        <PdfPasswordForm
          key={String(question.isAgain)}
          isWrong={question.isAgain}
          onSubmit={(password) => {
            setQuestion(undefined)
            question.response(password)
          }}
        />
      )}
      <Document
        suspense={false}
        className={styles.document}
        file={file}
        options={options}
        loading={null}
        error={null}
        externalLinkTarget="_blank"
        externalLinkRel="noopener noreferrer nofollow"
        onItemClick={({ pageNumber }) => setJump({ page: pageNumber })}
        onLoadSuccess={setPdf}
        onLoadError={() => onFail('broken')}
        onPassword={(response, reason) => setQuestion({ response, isAgain: reason === WRONG_PASSWORD })}
      >
        {pdf && <PdfPages pdf={pdf} name={item.name} jump={jump} isInline={isInline} />}
      </Document>
    </div>
  )
}

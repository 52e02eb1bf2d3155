import { type FormEvent, useState } from 'react'
import { Document, pdfjs } from 'react-pdf'
import type { OnPasswordCallback, Options } from 'react-pdf/dist/shared/types.js'
import 'react-pdf/dist/Page/AnnotationLayer.css'
import 'react-pdf/dist/Page/TextLayer.css'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { Button, PasswordInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { fetchBytes, problemOfFetch } from '../fetch-bytes.ts'
import type { PreviewItem, ViewerProps } from '../preview-item.ts'
import { PreviewSpinner } from '../viewer-parts.tsx'
import { PdfPages } from './PdfPages.tsx'
import styles from './PdfViewer.module.css'
import type { PdfDocument } from './use-pdf-layout.ts'

interface Question {
  readonly response: OnPasswordCallback
  readonly isAgain: boolean
}

/** The reason that pdf.js passes when it asks again. */
const WRONG_PASSWORD = 2

/** Shows a PDF. Scripts in it don't run, and links open in a new tab. */
export function PdfViewer({ item, isInline, onFail }: ViewerProps) {
  const [options] = useState(() => pdfOptions(item))
  const [file] = useState(() => ({ range: new ItemTransport(item, onFail) }))
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

interface PdfPasswordFormProps {
  readonly isWrong: boolean
  readonly onSubmit: (password: string) => void
}

/** Asks for the password of an encrypted PDF. It is not sent to the server. */
function PdfPasswordForm({ isWrong, onSubmit }: PdfPasswordFormProps) {
  const [password, setPassword] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    if (password) onSubmit(password)
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <IconLock size={32} stroke={1.5} aria-hidden />
      <p className={styles.question}>This PDF is protected by a password.</p>
      <PasswordInput
        label="Password"
        value={password}
        autoFocus
        autoComplete="off"
        error={isWrong ? 'Wrong password. Try again.' : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth mt="md">
        Open
      </Button>
    </form>
  )
}

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl

/** Where the build puts the files that pdf.js fetches on demand: see `pdfjsFiles` in `vite.config.ts`. */
const PDFJS_FILES = `/assets/pdfjs-${pdfjs.version}/`
/** Of a larger file, only the parts that are shown are fetched. */
const LARGE = 20 * MEBIBYTE

function pdfOptions({ size }: PreviewItem): Options {
  return {
    cMapUrl: `${PDFJS_FILES}cmaps/`,
    standardFontDataUrl: `${PDFJS_FILES}standard_fonts/`,
    wasmUrl: `${PDFJS_FILES}wasm/`,
    // Our Content Security Policy forbids WebAssembly. The decoders have a fallback in JavaScript.
    useWasm: false,
    disableStream: true,
    disableAutoFetch: size > LARGE,
    rangeChunkSize: 256 * KIBIBYTE,
  }
}

/** Fetches the ranges that pdf.js requests. */
class ItemTransport extends pdfjs.PDFDataRangeTransport {
  readonly #item: PreviewItem
  readonly #onFail: ViewerProps['onFail']
  readonly #controller = new AbortController()

  constructor(item: PreviewItem, onFail: ViewerProps['onFail']) {
    super(item.size, null)
    this.#item = item
    this.#onFail = onFail
  }

  override requestDataRange(begin: number, end: number): void {
    fetchBytes(this.#item, begin, end, { signal: this.#controller.signal }).then(
      (bytes) => this.onDataRange(begin, new Uint8Array(bytes)),
      (error: unknown) => {
        if (!this.#controller.signal.aborted) this.#onFail(problemOfFetch(error))
      },
    )
  }

  override abort(): void {
    this.#controller.abort()
  }
}

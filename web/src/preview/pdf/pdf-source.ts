import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { pdfjs } from 'react-pdf'
import type { Options } from 'react-pdf/dist/shared/types.js'
import { fetchBytes } from '../fetch-bytes.ts'
import type { PreviewItem } from '../preview-item.ts'

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl

/** Where the build lays what pdf.js fetches when a file needs it: see `pdfjsFiles` in the build's settings. */
const FILES = `/assets/pdfjs-${pdfjs.version}/`
/** A larger file is fetched only as far as it is read. */
const LARGE = 20 * MEBIBYTE

export function pdfOptions({ size }: PreviewItem): Options {
  return {
    cMapUrl: `${FILES}cmaps/`,
    standardFontDataUrl: `${FILES}standard_fonts/`,
    wasmUrl: `${FILES}wasm/`,
    // Our policy allows no WebAssembly: the decoders have a twin in plain JavaScript.
    useWasm: false,
    disableStream: true,
    disableAutoFetch: size > LARGE,
    rangeChunkSize: 256 * KIBIBYTE,
  }
}

/** Hands pdf.js the parts of an item that it asks for. */
export class ItemTransport extends pdfjs.PDFDataRangeTransport {
  readonly #item: PreviewItem
  readonly #onFail: () => void
  readonly #controller = new AbortController()

  constructor(item: PreviewItem, onFail: () => void) {
    super(item.size, null)
    this.#item = item
    this.#onFail = onFail
  }

  override requestDataRange(begin: number, end: number): void {
    fetchBytes(this.#item, begin, end, { signal: this.#controller.signal }).then(
      (bytes) => this.onDataRange(begin, new Uint8Array(bytes)),
      () => {
        if (!this.#controller.signal.aborted) this.#onFail()
      },
    )
  }

  override abort(): void {
    this.#controller.abort()
  }
}

import { IconMinus, IconPlus, IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Page } from 'react-pdf'
import type { FilterAnnotationsArgs } from 'react-pdf/dist/shared/types.js'
import { useViewKeys, ViewButton, ViewControls } from '../viewer-parts.tsx'
import styles from './PdfPages.module.css'
import { PdfSearch } from './PdfSearch.tsx'
import { type PdfDocument, usePdfLayout } from './use-pdf-layout.ts'
import { useMatchMarks, usePdfSearch } from './use-pdf-search.ts'

interface PdfPagesProps {
  readonly pdf: PdfDocument
  readonly name: string
  /** The target of a link within the file. */
  readonly jump: { readonly page: number } | undefined
  readonly isInline: boolean
}

/** Only links need an annotation layer. Other annotations are drawn with the page. */
const onlyLinks = ({ annotations }: FilterAnnotationsArgs) =>
  annotations.filter(({ subtype }: { subtype?: string }) => subtype === 'Link')

/** The number of pixels of a page at most, because browsers limit the size of a canvas. */
const MAX_POINTS = 16_000_000

/** The pages of a PDF, one below the other. Only those in view are rendered. */
export function PdfPages({ pdf, name, jump, isInline }: PdfPagesProps) {
  const scroller = useRef<HTMLElement>(null)
  const { virtualizer, scale, sizeOf, margin, pageNumber, noteSize, goTo, ...zoom } = usePdfLayout(pdf, scroller)
  const [isSearching, setIsSearching] = useState(false)
  const search = usePdfSearch(pdf, isSearching)
  const marks = useMatchMarks(scroller, search)

  useViewKeys({ '+': zoom.zoomIn, '=': zoom.zoomIn, '-': zoom.zoomOut, '0': zoom.fitWidth }, { isEnabled: !isInline })
  useViewKeys({ f: () => setIsSearching(true) }, { isEnabled: !isInline, withControl: true })

  const follow = useEffectEvent((page: number) => goTo(page))
  useEffect(() => {
    if (jump) follow(jump.page)
  }, [jump])
  const { active } = search
  useEffect(() => {
    if (active && !marks.isDrawn(active.page)) follow(active.page)
  }, [active, marks])

  const widest = Math.max(...virtualizer.getVirtualItems().map(({ index }) => sizeOf(index).width), 0) * scale
  return (
    <>
      <section
        ref={scroller}
        className={styles.scroller}
        aria-label={`Pages of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        data-scroller
        data-pans={widest + 2 * margin > (scroller.current?.clientWidth ?? Infinity) || undefined}
      >
        <div className={styles.pages} style={{ height: virtualizer.getTotalSize(), minWidth: widest + 2 * margin }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const { width, height } = sizeOf(index)
            const area = width * height * scale * scale
            return (
              <div
                key={key}
                className={styles.page}
                style={{ top: start, width: width * scale, height: height * scale }}
                data-page={index + 1}
              >
                <Page
                  suspense={false}
                  pageNumber={index + 1}
                  scale={scale}
                  devicePixelRatio={Math.min(window.devicePixelRatio, 2, Math.sqrt(MAX_POINTS / area))}
                  loading={null}
                  error={<p className={styles.failed}>This page cannot be shown.</p>}
                  filterAnnotations={onlyLinks}
                  onLoadSuccess={(page) => noteSize(index, page)}
                  onRenderTextLayerSuccess={marks.onTextDrawn}
                  onRenderAnnotationLayerSuccess={() => nameLinks(scroller.current)}
                />
              </div>
            )
          })}
        </div>
      </section>
      {isSearching && (
        <PdfSearch
          search={search}
          onClose={() => {
            setIsSearching(false)
            scroller.current?.focus()
          }}
        />
      )}
      <ViewControls label="Pages">
        <PageField page={pageNumber} count={pdf.numPages} onGo={goTo} />
        <ViewButton label="Zoom out" onClick={zoom.zoomOut}>
          <IconMinus size={20} stroke={1.75} />
        </ViewButton>
        <ViewButton label="Zoom in" onClick={zoom.zoomIn}>
          <IconPlus size={20} stroke={1.75} />
        </ViewButton>
        <ViewButton label="Search in this file" isPressed={isSearching} onClick={() => setIsSearching(!isSearching)}>
          <IconSearch size={20} stroke={1.75} />
        </ViewButton>
      </ViewControls>
    </>
  )
}

/** Labels the links of a PDF, which have no text, for screen readers. */
function nameLinks(pages: HTMLElement | null): void {
  for (const link of pages?.querySelectorAll<HTMLAnchorElement>('.annotationLayer a:not([aria-label])') ?? []) {
    link.setAttribute('aria-label', link.target ? link.href : 'Link to another page')
  }
}

interface PageFieldProps {
  readonly page: number
  readonly count: number
  readonly onGo: (page: number) => void
}

/** Shows the number of the current page and goes to the page whose number is entered. */
function PageField({ page, count, onGo }: PageFieldProps) {
  const [typed, setTyped] = useState<string>()

  function go(event: FormEvent) {
    event.preventDefault()
    const wanted = Number.parseInt(typed ?? '', 10)
    setTyped(undefined)
    if (Number.isFinite(wanted)) onGo(Math.min(count, Math.max(1, wanted)))
  }

  return (
    <form className={styles.pageForm} onSubmit={go}>
      <input
        className={styles.pageField}
        aria-label={`Page, of ${count}`}
        inputMode="numeric"
        value={typed ?? page}
        style={{ width: `calc(${String(count).length}ch + 18px)` }}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, ''))}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setTyped(undefined)}
      />
      <span className={styles.pageCount} aria-hidden>
        / {count}
      </span>
    </form>
  )
}

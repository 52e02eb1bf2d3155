import { isPicture } from '@alcove/contract/preview-kind'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { FileTypeSheet } from '../ui/FileTypeSheet.tsx'
import styles from './Filmstrip.module.css'
import type { PreviewItem } from './preview-item.ts'
import { usePicture } from './use-picture.ts'

interface FilmstripProps {
  readonly items: readonly PreviewItem[]
  readonly current: PreviewItem
  readonly onChoose: (item: PreviewItem) => void
}

/** Widths including the gap, as in the style sheet. */
const WIDTH = 84
const CURRENT_WIDTH = 116

/** The pictures among the items, in a row below the current one. Only those in view are rendered. */
export function Filmstrip({ items, current, onChoose }: FilmstripProps) {
  const pictures = useMemo(() => items.filter(({ name }) => isPicture(name)), [items])
  const currentIndex = pictures.findIndex(({ id }) => id === current.id)
  const strip = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: pictures.length,
    getScrollElement: () => strip.current,
    estimateSize: (index) => (index === currentIndex ? CURRENT_WIDTH : WIDTH),
    getItemKey: (index) => pictures[index]?.id ?? index,
    overscan: 4,
    paddingStart: 16,
    paddingEnd: 16,
  })
  const isShown = currentIndex >= 0 && pictures.length > 1
  useEffect(() => {
    if (!isShown) return
    virtualizer.measure()
    virtualizer.scrollToIndex(currentIndex, { align: 'center' })
  }, [currentIndex, isShown, virtualizer])
  if (!isShown) return null

  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons is not a fieldset
    <div ref={strip} className={styles.strip} role="group" aria-label="Pictures">
      <div className={styles.film} style={{ width: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
          const item = pictures[index]
          return (
            item && (
              <button
                key={key}
                type="button"
                className={styles.picture}
                style={{ left: start, width: size - 8 }}
                aria-label={item.name}
                aria-current={index === currentIndex || undefined}
                // The arrow keys step through the items wherever the focus is.
                tabIndex={index === currentIndex ? 0 : -1}
                onClick={() => onChoose(item)}
              >
                <SmallPicture item={item} />
              </button>
            )
          )
        })}
      </div>
    </div>
  )
}

function SmallPicture({ item }: { readonly item: PreviewItem }) {
  const url = usePicture(item.thumbnail?.(256))
  return url ? <img src={url} alt="" draggable={false} /> : <FileTypeSheet filename={item.name} size={24} />
}

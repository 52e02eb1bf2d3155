import { extensionOf } from '@alcove/contract/file-types'
import type { FileKind } from '../lib/file-names.ts'

/** The length of an extension that fits on the label. */
const MAX_LABEL = 5

interface FileTypeLabel {
  readonly text: string
  /** The shape as the `d` of a path, and the x position of the text's center. */
  readonly outline: string
  readonly middle: number
}

/** Returns the label of a file's icon; undefined if there is no extension or it is too long. */
export function labelOf(filename: string): FileTypeLabel | undefined {
  const text = extensionOf(filename).toUpperCase()
  if (text === '' || text.length > MAX_LABEL) return undefined
  const width = 9 + text.length * 6.5
  return {
    text,
    outline: `M0 48h${width - 3}a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3H1.5A5.5 5.5 0 0 1 0 57.5z`,
    middle: width / 2,
  }
}

export const fileTypeColor: Record<FileKind, string> = {
  pdf: 'var(--alcove-type-pdf)',
  doc: 'var(--alcove-type-doc)',
  sheet: 'var(--alcove-type-sheet)',
  slides: 'var(--alcove-type-slides)',
  image: 'var(--alcove-type-image)',
  audio: 'var(--alcove-type-audio)',
  video: 'var(--alcove-type-video)',
  archive: 'var(--alcove-type-archive)',
  text: 'var(--alcove-type-other)',
  other: 'var(--alcove-type-other)',
}

import { extensionOf } from '@alcove/contract/file-types'

/** The longest extension that still fits on the label. */
const MAX_LABEL = 5

export interface FileTypeLabel {
  readonly text: string
  /** Its shape, as the `d` of a path, and where its text is centered. */
  readonly outline: string
  readonly middle: number
}

/** The label on a file's sheet of paper; undefined without an extension, or with one that is too long for it. */
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

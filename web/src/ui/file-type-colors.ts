import type { FileKind } from '../lib/file-kind.ts'

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

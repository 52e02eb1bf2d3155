import { extensionOf } from '@alcove/contract/file-types'
import type { Item } from '@alcove/contract/items'
import { type FileKind, fileKindOf } from '../../lib/file-kind.ts'

const nouns: Record<FileKind, string> = {
  pdf: 'document',
  doc: 'document',
  image: 'image',
  sheet: 'spreadsheet',
  slides: 'presentation',
  audio: 'audio',
  video: 'video',
  archive: 'archive',
  text: 'text',
  other: 'file',
}

/** What an item is, in words: `Folder`, `JPG image`, `PDF document`, `File`. */
export function kindOf(item: Item): string {
  if (item.type === 'folder') return 'Folder'
  const extension = extensionOf(item.name).toUpperCase()
  const noun = nouns[fileKindOf(item.name)]
  return extension ? `${extension} ${noun}` : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
}

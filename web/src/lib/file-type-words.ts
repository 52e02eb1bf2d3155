import { extensionOf } from '@alcove/contract/file-types'
import { type FileKind, fileKindOf } from './file-names.ts'

const nouns: Record<FileKind, string> = {
  pdf: 'document',
  doc: 'document',
  sheet: 'spreadsheet',
  slides: 'presentation',
  image: 'image',
  audio: 'audio',
  video: 'video',
  archive: 'archive',
  text: 'text',
  other: 'file',
}

const spellings: Record<string, string> = { jpg: 'JPEG', tif: 'TIFF', htm: 'HTML' }

/** Returns the type of a file in words: `JPEG image`, `PDF document`. */
export function describeFileType(filename: string): string {
  const extension = extensionOf(filename)
  const noun = nouns[fileKindOf(filename)]
  if (extension === '') return 'File'
  return extension === 'txt' ? 'Text' : `${spellings[extension] ?? extension.toUpperCase()} ${noun}`
}

import { extensionOf } from '@alcove/contract/file-types'
import { isMacMetadata } from '@alcove/contract/names'

/** The two fields of the Rename dialog. */
export interface NameParts {
  readonly base: string
  readonly extension: string
}

/** Splits a file name for the Rename dialog: `Itinerary.pdf` into `Itinerary` and `pdf`. */
export function splitExtension(filename: string): NameParts {
  const dot = filename.lastIndexOf('.')
  if (dot <= 0 || dot === filename.length - 1) return { base: filename, extension: '' }
  return { base: filename.slice(0, dot), extension: filename.slice(dot + 1) }
}

/**
 * Joins the two fields of the Rename dialog. Without an extension there is no dot. What was typed is trimmed; a field that
 * has its first content stays exact.
 */
export function joinExtension(typed: NameParts, first?: NameParts): string {
  const base = typed.base === first?.base ? typed.base : typed.base.trim()
  const isSameEnd = typed.extension === first?.extension
  const extension = isSameEnd ? typed.extension : typed.extension.trim().replace(/^\.+/, '')
  return extension === '' ? base : `${base}.${extension}`
}

const LONG_NAME = 12
const LONGEST_TAIL = 16

/**
 * Returns the end of a name, including its extension, that stays visible when the name is cut; empty for short names.
 * Names are only split between ASCII characters, because other scripts join their letters.
 */
export function endOfName(name: string): string {
  if (name.length <= LONG_NAME) return ''
  const { extension } = splitExtension(name)
  const end = extension === '' || extension.length > LONGEST_TAIL - 5 ? '' : `.${extension}`
  const [kept = ''] = /[ -~]{0,4}$/.exec(name.slice(0, name.length - end.length)) ?? []
  return kept + end
}

/** Returns the kind of a file for its icon. Whether it can be previewed or played is decided elsewhere. */
export type FileKind = 'pdf' | 'doc' | 'sheet' | 'slides' | 'image' | 'audio' | 'video' | 'archive' | 'text' | 'other'

const extensionsByKind: Record<Exclude<FileKind, 'other'>, string> = {
  pdf: 'pdf',
  doc: 'doc docx odt rtf pages',
  sheet: 'xls xlsx ods csv numbers',
  slides: 'ppt pptx odp key',
  image: 'jpg jpeg png gif webp avif svg bmp tif tiff heic heif ico',
  audio: 'mp3 wav m4a aac ogg opus flac aif aiff wma ape',
  video: 'mp4 avi mkv mov flv webm mpg mpeg 3gp m4v ogv',
  archive: 'zip rar 7z tar gz tgz bz2 xz zst',
  text: 'txt md log json xml yaml yml',
}

const kindByExtension = new Map(
  (Object.keys(extensionsByKind) as Exclude<FileKind, 'other'>[]).flatMap((kind) =>
    extensionsByKind[kind].split(' ').map((extension) => [extension, kind] as const),
  ),
)

export function fileKindOf(filename: string): FileKind {
  return isMacMetadata(filename) ? 'other' : (kindByExtension.get(extensionOf(filename)) ?? 'other')
}

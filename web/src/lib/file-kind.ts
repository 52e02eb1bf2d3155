import { extensionOf } from '@alcove/contract/file-types'

/** How a file looks in lists and tiles; what can be previewed or played is another question. */
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
  return kindByExtension.get(extensionOf(filename)) ?? 'other'
}

/** Media types by file extension. A browser downloads files of other types instead of showing them. */
const MIME_TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  ico: 'image/x-icon',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  wma: 'audio/x-ms-wma',
  ape: 'audio/x-ape',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  mkv: 'video/x-matroska',
  flv: 'video/x-flv',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  '3gp': 'video/3gpp',
  zip: 'application/zip',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  '7z': 'application/x-7z-compressed',
  rar: 'application/vnd.rar',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
}

/** The extensions of music and video (specification, section 5, and others that browsers play). */
export const AUDIO_EXTENSIONS = [
  ...['mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac'],
  // Hardly any browser plays these natively.
  ...['aif', 'aiff', 'wma', 'ape'],
] as const
export const VIDEO_EXTENSIONS = ['mp4', 'avi', 'mkv', 'mov', 'flv', 'webm', 'mpg', '3gp', 'm4v', 'ogv'] as const

const UNKNOWN = 'application/octet-stream'

/** Returns a file's extension in lower case without the dot, or an empty text. */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.')
  return dot <= 0 ? '' : filename.slice(dot + 1).toLowerCase()
}

export function mimeTypeOf(filename: string): string {
  return MIME_TYPES[extensionOf(filename)] ?? UNKNOWN
}

/** Returns the extensions of files whose content type meets a condition, and whether files with other extensions do. */
export function extensionsOf(isMet: (mimeType: string) => boolean): { extensions: string[]; others: boolean } {
  const extensions = Object.entries(MIME_TYPES).flatMap(([extension, type]) => (isMet(type) ? [extension] : []))
  return { extensions, others: isMet(UNKNOWN) }
}

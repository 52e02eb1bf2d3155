/** What ffmpeg calls the containers that videos come in. */
export type VideoFormat = 'mov' | 'matroska' | 'avi' | 'flv' | 'mpeg' | 'mpegvideo' | 'mpegts' | 'ogg'

/** So many bytes tell what a file is. */
export const FORMAT_HEAD = 384

/** The boxes that a film of QuickTime begins with where it does not say what it is. */
const QUICKTIME_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip']
/** MPEG-TS comes in packets, each with the same first byte; a camera's have four bytes of time before them. */
const SYNC = 0x47
const PACKETS = [
  { first: 0, length: 188 },
  { first: 4, length: 192 },
]

/** The container that a file is, by its first bytes. Playlists and the like, which name other files, are none. */
export function videoFormatOf(start: Buffer): VideoFormat | undefined {
  const text = start.toString('latin1')
  const box = text.slice(4, 8)
  if (box === 'ftyp') return isAvif(start) ? undefined : 'mov'
  if (QUICKTIME_BOXES.includes(box)) return 'mov'
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'matroska'
  if (text.startsWith('RIFF') && text.startsWith('AVI ', 8)) return 'avi'
  if (text.startsWith('FLV\x01')) return 'flv'
  if (text.startsWith('\0\0\x01\xba')) return 'mpeg'
  if (text.startsWith('\0\0\x01\xb3')) return 'mpegvideo'
  if (PACKETS.some(({ first, length }) => start[first] === SYNC && start[first + length] === SYNC)) return 'mpegts'
  return text.startsWith('OggS') ? 'ogg' : undefined
}

/** AVIF is laid out like a film too, but is a picture. */
function isAvif(start: Buffer): boolean {
  return /avi[fs]/.test(start.toString('latin1', 8, Math.min(start.length, start.readUInt32BE(0))))
}

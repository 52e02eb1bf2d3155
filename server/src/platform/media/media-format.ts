/** ffmpeg's names for containers of sound that browsers rarely or never play. */
type SoundFormat = 'asf' | 'aiff' | 'ape' | 'wav'
export type MediaFormat = VideoFormat | SoundFormat

/** The object with which every Windows Media file begins. */
const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')

/** Returns the container of a media file by its first bytes. Formats that need no conversion, such as MP3, have none. */
export function mediaFormatOf(start: Buffer): MediaFormat | undefined {
  const text = start.toString('latin1')
  if (start.subarray(0, ASF_HEADER.length).equals(ASF_HEADER)) return 'asf'
  if (text.startsWith('FORM') && /^AIF[FC]/.test(text.slice(8))) return 'aiff'
  if (text.startsWith('MAC ')) return 'ape'
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav'
  return videoFormatOf(start)
}

/** ffmpeg's names for the containers of videos. */
export type VideoFormat = 'mov' | 'matroska' | 'avi' | 'flv' | 'mpeg' | 'mpegvideo' | 'mpegts' | 'ogg'

/** The number of bytes that identify a file. */
export const FORMAT_HEAD = 384

/** The boxes with which a QuickTime file without a brand begins. */
const QUICKTIME_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip']
/** MPEG-TS consists of packets that all begin with the same byte; cameras put four bytes of time before each. */
const SYNC = 0x47
const PACKETS = [
  { first: 0, length: 188 },
  { first: 4, length: 192 },
]

/** Returns the container of a video by its first bytes. Playlists and the like, which refer to other files, have none. */
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

/** AVIF has the structure of a film but is a picture. */
function isAvif(start: Buffer): boolean {
  return /avi[fs]/.test(start.toString('latin1', 8, Math.min(start.length, start.readUInt32BE(0))))
}

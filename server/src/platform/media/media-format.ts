import { type VideoFormat, videoFormatOf } from './video-format.ts'

/** What ffmpeg calls the containers of sound alone that browsers play seldom or never. */
export type SoundFormat = 'asf' | 'aiff' | 'ape' | 'wav'
export type MediaFormat = VideoFormat | SoundFormat

/** The object that every file of Windows Media begins with. */
const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')

/** The container that a file of sound or pictures is, by its first bytes. What needs none of ours, such as MP3, has none. */
export function mediaFormatOf(start: Buffer): MediaFormat | undefined {
  const text = start.toString('latin1')
  if (start.subarray(0, ASF_HEADER.length).equals(ASF_HEADER)) return 'asf'
  if (text.startsWith('FORM') && /^AIF[FC]/.test(text.slice(8))) return 'aiff'
  if (text.startsWith('MAC ')) return 'ape'
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'wav'
  return videoFormatOf(start)
}

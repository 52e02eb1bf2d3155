import type { Streams } from '../../../platform/media/media-reader.ts'

export type StreamKind = 'file' | 'hls' | 'unplayable'

/** Containers that hardly any browser reads; the others are tried, since browsers differ. */
const FOREIGN_FORMATS: readonly Streams['format'][] = [
  ...(['avi', 'flv', 'mpeg', 'mpegvideo', 'mpegts', 'asf', 'aiff', 'ape'] as const),
]
const FOREIGN_EXTENSIONS = ['avi', 'flv', 'mpg', 'wma', 'aif', 'aiff', 'ape']

/** What some browser at least plays out of a container. */
const PLAYED: Partial<Record<Streams['format'], { video: readonly string[]; audio: readonly string[] }>> = {
  mov: { video: ['h264', 'hevc', 'av1', 'vp9'], audio: ['aac', 'mp3', 'opus', 'flac'] },
  matroska: { video: ['h264', 'vp8', 'vp9', 'av1'], audio: ['aac', 'mp3', 'opus', 'vorbis', 'flac'] },
  ogg: { video: [], audio: ['opus', 'vorbis', 'flac'] },
  wav: {
    video: [],
    audio: ['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_alaw', 'pcm_mulaw', 'mp3'],
  },
}
/** H.264 with more than 8 bits, or with finer colours, is hardly played anywhere. */
const PLAIN_PIXELS = ['yuv420p', 'yuvj420p']

/** How a film or a piece of music is best played; `streams` are what it is known to be made of. */
export function streamKindOf(streams: Streams | undefined, extension: string, canConvert: boolean): StreamKind {
  if (!streams) return FOREIGN_EXTENSIONS.includes(extension) ? 'unplayable' : 'file'
  if (isPlayed(streams)) return 'file'
  if (canConvert) return 'hls'
  return FOREIGN_FORMATS.includes(streams.format) ? 'unplayable' : 'file'
}

function isPlayed({ format, video, audio, pixels }: Streams): boolean {
  const played = PLAYED[format]
  if (!played) return false
  if (video === 'h264' && pixels !== undefined && !PLAIN_PIXELS.includes(pixels)) return false
  return (video === undefined || played.video.includes(video)) && (audio === undefined || played.audio.includes(audio))
}

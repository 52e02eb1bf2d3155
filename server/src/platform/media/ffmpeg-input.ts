import type { MediaFormat } from './media-format.ts'

const MAX_PIXELS = 50_000_000
const MAX_BLOCK = 256 * 1024 * 1024

/** What cameras, phones and the web produce. Rarely used decoders get little testing. */
const DECODERS = [
  ...['h264', 'hevc', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'av1', 'libdav1d', 'libaom-av1', 'theora'],
  ...['mpeg1video', 'mpeg2video', 'mpeg4', 'msmpeg4v1', 'msmpeg4v2', 'msmpeg4', 'h263', 'h263i', 'mjpeg', 'flv'],
  ...['vp6', 'vp6f', 'vp6a', 'wmv1', 'wmv2', 'svq1', 'svq3', 'cinepak', 'dvvideo', 'prores', 'dnxhd', 'rawvideo'],
]
const AUDIO_DECODERS = [
  ...[
    'aac',
    'aac_fixed',
    'mp3',
    'mp3float',
    'mp2',
    'mp2float',
    'mp1',
    'mp1float',
    'ac3',
    'eac3',
    'dca',
    'opus',
    'libopus',
  ],
  ...['vorbis', 'libvorbis', 'flac', 'alac', 'amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb', 'speex'],
  ...[
    'libspeex',
    'wmav1',
    'wmav2',
    'wmapro',
    'wmalossless',
    'ape',
    'nellymoser',
    'adpcm_ms',
    'adpcm_ima_wav',
    'adpcm_ima_qt',
    'adpcm_swf',
    'pcm_u8',
    'pcm_s8',
  ],
  ...[
    'pcm_s16le',
    'pcm_s16be',
    'pcm_s24le',
    'pcm_s24be',
    'pcm_s32le',
    'pcm_s32be',
    'pcm_f32le',
    'pcm_f32be',
    'pcm_f64le',
    'pcm_alaw',
    'pcm_mulaw',
    'pcm_dvd',
  ],
]

/** The path under which a program finds the file that it was given open. */
export const GIVEN_FILE = 'file:/dev/fd/3'

/** Limits on the memory that ffmpeg and ffprobe allocate. */
export const MEMORY_BOUNDS = ['-max_alloc', `${MAX_BLOCK}`]

/**
 * Returns the input arguments for an unchecked container: the format is given and not guessed, no other file can be named, and
 * only a few decoders are allowed.
 */
export function inputArguments(format: MediaFormat, { withSound }: { withSound: boolean }): string[] {
  const reading = ['-f', format, '-format_whitelist', format, '-protocol_whitelist', 'file']
  if (format === 'mov') reading.push('-enable_drefs', '0')
  const decoders = withSound ? [...DECODERS, ...AUDIO_DECODERS] : DECODERS
  return [...reading, '-max_pixels', `${MAX_PIXELS}`, '-codec_whitelist', decoders.join(',')]
}

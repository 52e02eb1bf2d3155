import type { MediaFormat } from './media-format.ts'

const MAX_PIXELS = 50_000_000
const MAX_BLOCK = 256 * 1024 * 1024

/** What cameras, phones and the web record; decoders that hardly anybody uses are those that hardly anybody checks. */
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

/** Where a program finds the file that it was given open, without any name. */
export const GIVEN_FILE = 'file:/dev/fd/3'

/** Bounds on what ffmpeg and its kin take up for themselves. */
export const MEMORY_BOUNDS = ['-max_alloc', `${MAX_BLOCK}`]

/** How a container is read that nobody has checked: it is told, not guessed, may name no other file, and has few decoders. */
export function inputArguments(format: MediaFormat, { withSound }: { withSound: boolean }): string[] {
  const reading = ['-f', format, '-format_whitelist', format, '-protocol_whitelist', 'file']
  if (format === 'mov') reading.push('-enable_drefs', '0')
  const decoders = withSound ? [...DECODERS, ...AUDIO_DECODERS] : DECODERS
  return [...reading, '-max_pixels', `${MAX_PIXELS}`, '-codec_whitelist', decoders.join(',')]
}

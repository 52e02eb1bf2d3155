import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import type { Streams } from './media-reader.ts'
import { SEGMENT_LENGTH, type SegmentTimes, type Way } from './segment-plan.ts'

/** Seconds before the segment from which the sound is encoded, so that it has settled: whole frames too. */
const SOUND_LEAD = 0.64
/** Seconds before that from which is read: what lies right behind a seek may be missing. */
const SEEK_LEAD = 0.64
/** What is read beyond the end of the segment: the last one may be longer, and sound may lie behind its pictures. */
const TAIL = 1
const SOUND_RATE = 48_000
/** Samples in a frame of AAC. */
const SOUND_FRAME = 1024
const MAX_HEIGHT = 1080
/** Where the end is not told: longer than any last segment. */
const LAST_LENGTH = 30
/** All times are moved by so many seconds, since the decoding of the first picture would begin before zero. */
export const TIME_OFFSET = 10

interface Making {
  way: Way
  threads: number
}

/**
 * What ffmpeg is told to make one segment, whatever lies between it and those made before: H.264 and AAC in MPEG-TS. Where
 * pictures or sound are that already they are only copied, and more of them than the segment has: `cutSegment` cuts them.
 */
export function segmentArguments(streams: Streams, { start, end }: SegmentTimes, { way, threads }: Making): string[] {
  const soundFrom = Math.max(0, start - SOUND_LEAD)
  const readFrom = Math.max(0, soundFrom - SEEK_LEAD)
  const readLength = (end ?? start + (way === 'copy' ? LAST_LENGTH : 2 * SEGMENT_LENGTH)) + TAIL - readFrom
  // Some containers go astray by a seek to their very start.
  const seek = readFrom > 0 ? ['-ss', readFrom.toFixed(3)] : []
  const reading = [...inputArguments(streams.format, { withSound: true }), '-threads', String(threads)]
  const isCopied = way === 'copy'
  return [
    ...['-nostdin', '-v', 'quiet', '-max_error_rate', '1', ...MEMORY_BOUNDS, '-filter_threads', '1'],
    ...[...reading, '-sn', '-dn', ...seek, '-t', readLength.toFixed(3), '-i', GIVEN_FILE],
    ...['-copyts', '-start_at_zero', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...(streams.video ? (isCopied ? COPIED_PICTURES : pictureArguments(start, end, threads)) : []),
    ...(streams.audio ? (isCopied && streams.audio === 'aac' ? COPIED_SOUND : soundArguments(soundFrom)) : []),
    // One frame of sound a packet, so that they can be told apart.
    ...['-muxdelay', '0', '-muxpreload', '0', '-pes_payload_size', '0', '-output_ts_offset', String(TIME_OFFSET)],
    ...['-f', 'mpegts', 'pipe:1'],
  ]
}

/** Each key frame with what a decoder has to know, since any of them may be the first that it sees. */
const COPIED_PICTURES = ['-map', '0:V:0', '-c:v', 'copy', '-bsf:v', 'h264_mp4toannexb,dump_extra=freq=keyframe']
const COPIED_SOUND = ['-map', '0:a:0', '-c:a', 'copy']

function pictureArguments(start: number, end: number | undefined, threads: number): string[] {
  const trim = `trim=start=${start.toFixed(3)}${end === undefined ? '' : `:end=${end.toFixed(3)}`}`
  // Of square points, and of even sides, as H.264 has them.
  const scale = `scale=w='max(2,trunc(iw*sar*min(1,${MAX_HEIGHT}/ih)/2)*2)':h='max(2,trunc(min(ih,${MAX_HEIGHT})/2)*2)',setsar=1`
  return [
    ...['-map', '0:V:0', '-vf', `${trim},${scale}`, '-pix_fmt', 'yuv420p', '-vsync', 'passthrough'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '22', '-maxrate', '8M', '-bufsize', '16M'],
    ...['-threads', String(threads)],
  ]
}

/** From the nearest of the frames that all segments have in common, wherever this one starts. */
function soundArguments(from: number): string[] {
  const first = Math.floor((from * SOUND_RATE) / SOUND_FRAME + 1e-6) * SOUND_FRAME
  // Sound that begins late begins with silence, so that its frames are where all others are.
  const start = first === 0 ? ':first_pts=0' : ''
  const cut = `aresample=${SOUND_RATE}:async=1${start},atrim=start_pts=${first}`
  return ['-map', '0:a:0', '-af', cut, '-ac', '2', '-c:a', 'aac', '-b:a', '160k']
}

import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import type { Streams } from './media-reader.ts'
import { SEGMENT_LENGTH } from './segment-plan.ts'

/** Seconds before the segment from which the sound is encoded, so that it has settled: whole frames too. */
const SOUND_LEAD = 0.64
/** Seconds before that from which is read: what lies right behind a seek may be missing. */
const SEEK_LEAD = 0.64
/** What is read beyond the end of the segment: the last one may be longer, and sound may lie behind its pictures. */
const TAIL = 1
const SOUND_RATE = 48_000
const MAX_HEIGHT = 1080
/** All times are moved by so many seconds, since the decoding of the first picture would begin before zero. */
export const TIME_OFFSET = 10

export interface SegmentTimes {
  /** Seconds. Where it is the last segment there is no end but the film's. */
  start: number
  end: number | undefined
}

export function timesOf(index: number, count: number): SegmentTimes {
  const start = index * SEGMENT_LENGTH
  return { start, end: index === count - 1 ? undefined : start + SEGMENT_LENGTH }
}

/** What ffmpeg is told to make one segment, whatever lies between it and those made before: H.264 and AAC in MPEG-TS. */
export function segmentArguments(streams: Streams, { start, end }: SegmentTimes, threads: number): string[] {
  const soundFrom = Math.max(0, start - SOUND_LEAD)
  const readFrom = Math.max(0, soundFrom - SEEK_LEAD)
  const readLength = (end ?? start + 2 * SEGMENT_LENGTH) + TAIL - readFrom
  // Some containers go astray by a seek to their very start.
  const seek = readFrom > 0 ? ['-ss', readFrom.toFixed(3)] : []
  const reading = [...inputArguments(streams.format, { withSound: true }), '-threads', String(threads)]
  return [
    ...['-nostdin', '-v', 'quiet', '-max_error_rate', '1', ...MEMORY_BOUNDS, '-filter_threads', '1'],
    ...[...reading, '-sn', '-dn', ...seek, '-t', readLength.toFixed(3), '-i', GIVEN_FILE],
    ...['-copyts', '-start_at_zero', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...(streams.video ? videoArguments(start, end, threads) : []),
    ...(streams.audio ? soundArguments(soundFrom) : []),
    // One frame of sound a packet, so that they can be told apart.
    ...['-muxdelay', '0', '-muxpreload', '0', '-pes_payload_size', '0', '-output_ts_offset', String(TIME_OFFSET)],
    ...['-f', 'mpegts', 'pipe:1'],
  ]
}

function videoArguments(start: number, end: number | undefined, threads: number): string[] {
  const trim = `trim=start=${start.toFixed(3)}${end === undefined ? '' : `:end=${end.toFixed(3)}`}`
  // Of square points, and of even sides, as H.264 has them.
  const scale = `scale=w='max(2,trunc(iw*sar*min(1,${MAX_HEIGHT}/ih)/2)*2)':h='max(2,trunc(min(ih,${MAX_HEIGHT})/2)*2)',setsar=1`
  return [
    ...['-map', '0:V:0', '-vf', `${trim},${scale}`, '-pix_fmt', 'yuv420p', '-vsync', 'passthrough'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '22', '-maxrate', '8M', '-bufsize', '16M'],
    ...['-threads', String(threads)],
  ]
}

function soundArguments(from: number): string[] {
  const cut = `aresample=${SOUND_RATE}:async=1,atrim=start_pts=${Math.round(from * SOUND_RATE)}`
  return ['-map', '0:a:0', '-af', cut, '-ac', '2', '-c:a', 'aac', '-b:a', '160k']
}

import { Transform } from 'node:stream'
import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import type { Streams } from './media-reader.ts'
import { SEGMENT_LENGTH, type SegmentTimes, type Way } from './segment-plan.ts'

/** Seconds of sound before the segment that are encoded too, so that the encoder has settled. Whole frames. */
const SOUND_LEAD = 0.64
/** Seconds before that from which the file is read, because frames right behind a seek may be missing. */
const SEEK_LEAD = 0.64
/**
 * Seconds that are read beyond the end of the segment: its last frame may be longer, and sound may come after its pictures in
 * the file.
 */
const TAIL = 1
const SOUND_RATE = 48_000
/** Samples in a frame of AAC. */
const SOUND_FRAME = 1024
const MAX_HEIGHT = 1080
/** Seconds for a segment without a known end: longer than any last segment. */
const LAST_LENGTH = 30
/** Seconds by which all times are moved, since decoding of the first picture would begin before zero. */
export const TIME_OFFSET = 10

interface Making {
  way: Way
  threads: number
}

/**
 * Returns ffmpeg's arguments for one segment, independent of earlier ones: H.264 and AAC in MPEG-TS. Streams that are that
 * already are copied, with more than the segment's frames: `cutSegment` cuts them.
 */
export function segmentArguments(streams: Streams, { start, end }: SegmentTimes, { way, threads }: Making): string[] {
  const soundFrom = Math.max(0, start - SOUND_LEAD)
  const readFrom = Math.max(0, soundFrom - SEEK_LEAD)
  const readLength = (end ?? start + (way === 'copy' ? LAST_LENGTH : 2 * SEGMENT_LENGTH)) + TAIL - readFrom
  // Some containers fail on a seek to the very start.
  const seek = readFrom > 0 ? ['-ss', readFrom.toFixed(3)] : []
  const reading = [...inputArguments(streams.format, { withSound: true }), '-threads', String(threads)]
  const isCopied = way === 'copy'
  return [
    ...['-nostdin', '-v', 'quiet', '-max_error_rate', '1', ...MEMORY_BOUNDS, '-filter_threads', '1'],
    ...[...reading, '-sn', '-dn', ...seek, '-t', readLength.toFixed(3), '-i', GIVEN_FILE],
    ...['-copyts', '-start_at_zero', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...(streams.video ? (isCopied ? COPIED_PICTURES : pictureArguments(start, end, threads)) : []),
    ...(streams.audio ? (isCopied && streams.audio === 'aac' ? COPIED_SOUND : soundArguments(soundFrom)) : []),
    // One frame of sound per packet, so that they can be told apart.
    ...['-muxdelay', '0', '-muxpreload', '0', '-pes_payload_size', '0', '-output_ts_offset', String(TIME_OFFSET)],
    ...['-f', 'mpegts', 'pipe:1'],
  ]
}

/** Repeats the decoder's parameters with each key frame, since any may be the first that a player sees. */
const COPIED_PICTURES = ['-map', '0:V:0', '-c:v', 'copy', '-bsf:v', 'h264_mp4toannexb,dump_extra=freq=keyframe']
const COPIED_SOUND = ['-map', '0:a:0', '-c:a', 'copy']

function pictureArguments(start: number, end: number | undefined, threads: number): string[] {
  const trim = `trim=start=${start.toFixed(3)}${end === undefined ? '' : `:end=${end.toFixed(3)}`}`
  // Square pixels and even sides, as H.264 requires.
  const scale = `scale=w='max(2,trunc(iw*sar*min(1,${MAX_HEIGHT}/ih)/2)*2)':h='max(2,trunc(min(ih,${MAX_HEIGHT})/2)*2)',setsar=1`
  return [
    ...['-map', '0:V:0', '-vf', `${trim},${scale}`, '-pix_fmt', 'yuv420p', '-vsync', 'passthrough'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '22', '-maxrate', '8M', '-bufsize', '16M'],
    ...['-threads', String(threads)],
  ]
}

/** Begins at the nearest frame of the common grid of all segments. */
function soundArguments(from: number): string[] {
  const first = Math.floor((from * SOUND_RATE) / SOUND_FRAME + 1e-6) * SOUND_FRAME
  // Late sound begins with silence, so that its frames are on the common grid.
  const start = first === 0 ? ':first_pts=0' : ''
  const cut = `aresample=${SOUND_RATE}:async=1${start},atrim=start_pts=${first}`
  return ['-map', '0:a:0', '-af', cut, '-ac', '2', '-c:a', 'aac', '-b:a', '160k']
}

const PACKET = 188
const CLOCK = 90_000
/** Times in MPEG-TS have 33 bits. */
const WRAP = 2 ** 33
/** Half a frame of sound: if a cut lies between two frames, each belongs to one side. */
const SOUND_TOLERANCE = 960
/** The tolerance for rounded times: a thousandth of a second here, a tick there. */
const PICTURE_TOLERANCE = 180

type Kind = 'sound' | 'pictures'

/** One elementary stream of the segment and the state of its cut. */
interface Lane {
  kind: Kind
  isKept: boolean
  /** For video: keep pictures until the first that belongs to the next segment. */
  isOver: boolean
  counter: number
}

/**
 * Removes from a segment in MPEG-TS what lies before its start or after its end, since another segment has it. Sound is cut
 * frame by frame. Copied pictures come in decoding order: all are kept from the key frame at the start, including those shown
 * before it, up to the key frame at the end.
 */
export function cutSegment({ start, end }: SegmentTimes, way: Way): Transform {
  const from = ticksOf(start)
  const to = end === undefined ? undefined : ticksOf(end)
  const lanes = new Map<number, Lane>()
  let rest = Buffer.alloc(0)

  function judge(lane: Lane, time: number): void {
    if (lane.kind === 'sound') {
      lane.isKept =
        !isBefore(time, from - SOUND_TOLERANCE) && (to === undefined || isBefore(time, to - SOUND_TOLERANCE))
    } else if (way === 'copy') {
      lane.isOver ||= to !== undefined && !isBefore(time, to - PICTURE_TOLERANCE)
      lane.isKept = !lane.isOver && (lane.isKept || !isBefore(time, from - PICTURE_TOLERANCE))
    } else {
      lane.isKept = true
    }
  }

  function take(packet: Buffer): boolean {
    const id = packet.readUInt16BE(1) & 0x1fff
    const isStart = ((packet[1] as number) & 0x40) !== 0
    const field = (packet[3] as number) & 0x30
    const payload = field === 0x30 ? 5 + (packet[4] as number) : 4
    const kind = isStart ? kindAt(packet, payload) : undefined
    if (kind) {
      const lane = lanes.get(id) ?? { kind, isKept: false, isOver: false, counter: 0 }
      lanes.set(id, lane)
      judge(lane, timeAt(packet, payload + 9))
    }
    const lane = lanes.get(id)
    if (!lane) return true
    if (!lane.isKept) return false
    // The remaining packets are numbered again.
    if ((field & 0x10) !== 0) {
      packet[3] = ((packet[3] as number) & 0xf0) | lane.counter
      lane.counter = (lane.counter + 1) & 0x0f
    }
    return true
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = Buffer.concat([rest, chunk])
      const whole = bytes.length - (bytes.length % PACKET)
      rest = bytes.subarray(whole)
      for (let at = 0; at < whole; at += PACKET) {
        const packet = bytes.subarray(at, at + PACKET)
        if (take(packet)) this.push(packet)
      }
      done()
    },
  })
}

/** Returns the start of an elementary stream packet with a time, if a packet begins one. */
function kindAt(packet: Buffer, at: number): Kind | undefined {
  if (at + 14 > PACKET || packet.readUIntBE(at, 3) !== 1 || ((packet[at + 7] as number) & 0x80) === 0) return undefined
  const stream = packet[at + 3] as number
  if ((stream & 0xe0) === 0xc0) return 'sound'
  return (stream & 0xf0) === 0xe0 ? 'pictures' : undefined
}

function timeAt(packet: Buffer, at: number): number {
  const high = ((packet[at] as number) >> 1) & 0x07
  const middle = packet.readUInt16BE(at + 1) >> 1
  const low = packet.readUInt16BE(at + 3) >> 1
  return high * 2 ** 30 + middle * 2 ** 15 + low
}

function ticksOf(seconds: number): number {
  return Math.round((seconds + TIME_OFFSET) * CLOCK)
}

/** Returns whether a time is before another one, on a clock that wraps around. */
function isBefore(time: number, other: number): boolean {
  return (((time - other) % WRAP) + WRAP) % WRAP >= WRAP / 2
}

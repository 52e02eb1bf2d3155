import { Transform } from 'node:stream'
import { TIME_OFFSET } from './segment-arguments.ts'
import type { SegmentTimes, Way } from './segment-plan.ts'

const PACKET = 188
const CLOCK = 90_000
/** Times in MPEG-TS have 33 bits. */
const WRAP = 2 ** 33
/** Half a frame of sound: where a cut lies between two frames, each of them belongs to one side. */
const SOUND_TOLERANCE = 960
/** Times are rounded on their way: a thousandth of a second here, a tick there. */
const PICTURE_TOLERANCE = 180

type Kind = 'sound' | 'pictures'

/** One elementary stream of the segment, and what becomes of its frames. */
interface Lane {
  kind: Kind
  isKept: boolean
  /** Of pictures: they go on until the first that belongs to the next segment. */
  isOver: boolean
  counter: number
}

/**
 * Leaves out of a segment in MPEG-TS what lies before its start or behind its end, since another segment has it. Of sound
 * that is each frame by its time. Pictures that were copied come in the order of decoding: from the key frame at the start on
 * all are kept, also those that are shown before it, until the key frame at the end.
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
    // What is left is counted anew.
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

/** What a packet begins, where it is an elementary stream with a time. */
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

/** Whether a time lies before another one, on a clock that goes round. */
function isBefore(time: number, other: number): boolean {
  return (((time - other) % WRAP) + WRAP) % WRAP >= WRAP / 2
}

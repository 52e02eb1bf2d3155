import { Transform } from 'node:stream'
import { type SegmentTimes, TIME_OFFSET } from './segment-arguments.ts'

const PACKET = 188
const CLOCK = 90_000
/** Times in MPEG-TS have 33 bits. */
const WRAP = 2 ** 33
/** Half a frame of sound: times are rounded on their way. */
const TOLERANCE = 960

/**
 * Leaves out of a segment in MPEG-TS the frames of sound that lie before its start or behind its end: the encoder needs
 * some before them, and another segment has them.
 */
export function cutSound({ start, end }: SegmentTimes): Transform {
  const from = ticksOf(start) - TOLERANCE
  const length = end === undefined ? Number.POSITIVE_INFINITY : ticksOf(end) - ticksOf(start)
  const isInside = (time: number) => modulo(time - from) < Math.min(length, WRAP / 2)
  let rest = Buffer.alloc(0)
  let soundId = -1
  let isKept = true
  let counter = 0

  function take(packet: Buffer): boolean {
    const id = packet.readUInt16BE(1) & 0x1fff
    const isStart = ((packet[1] as number) & 0x40) !== 0
    const field = (packet[3] as number) & 0x30
    const payload = field === 0x30 ? 5 + (packet[4] as number) : 4
    if (isStart && isSound(packet, payload)) {
      soundId = id
      isKept = isInside(timeAt(packet, payload + 9))
    }
    if (id !== soundId) return true
    if (!isKept) return false
    // What is left is counted anew.
    if ((field & 0x10) !== 0) {
      packet[3] = ((packet[3] as number) & 0xf0) | counter
      counter = (counter + 1) & 0x0f
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

/** Whether a packet of elementary sound, with a time, begins at this place. */
function isSound(packet: Buffer, at: number): boolean {
  if (at + 14 > PACKET || packet.readUIntBE(at, 3) !== 1) return false
  return ((packet[at + 3] as number) & 0xe0) === 0xc0 && ((packet[at + 7] as number) & 0x80) !== 0
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

function modulo(ticks: number): number {
  return ((ticks % WRAP) + WRAP) % WRAP
}

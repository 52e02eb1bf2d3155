import type { FileHandle } from 'node:fs/promises'
import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import type { Streams } from './media-reader.ts'
import { runProgram } from './run-program.ts'
import { SEGMENT_LENGTH } from './segment-plan.ts'

/** The time for going through a film, in milliseconds, and what may be said of its packets: a million of them. */
const BOUNDS = { timeout: 20_000, maxBytes: 24 * 1024 * 1024 }
/** Seconds. Where key frames are rarer, a seek would wait for what lies between. */
const MAX_LENGTH = 20

/**
 * Where a film can be cut without touching its pictures: some of its key frames, in seconds from its start. Most containers
 * tell them only to who goes through the film, so this takes as long as reading it. Empty where it cannot be cut.
 */
export async function findKeyframeCuts(file: FileHandle, { format }: Streams, ffprobe: string): Promise<number[]> {
  const input = inputArguments(format, { withSound: true })
  const requested = [
    '-select_streams',
    'V:0',
    '-show_entries',
    'packet=pts_time,flags:format=start_time',
    '-of',
    'csv=p=0',
  ]
  const response = await runProgram(
    ffprobe,
    ['-v', 'quiet', ...MEMORY_BOUNDS, ...input, ...requested, '-i', GIVEN_FILE],
    file,
    BOUNDS,
  )
  return response === undefined ? [] : chooseCuts(response.toString('latin1'))
}

/** From the packets of a film in the order of decoding, one a line, and its start in the last: what makes good segments. */
export function chooseCuts(listed: string): number[] {
  const lines = listed.split('\n').filter((line) => line.trim() !== '')
  const origin = Number.parseFloat(lines.pop() ?? '')
  if (!Number.isFinite(origin)) return []
  const cuts: number[] = []
  let latest = 0
  for (const line of lines) {
    const time = Number.parseFloat(line) - origin
    // Without times pictures cannot be put in order.
    if (!Number.isFinite(time)) return []
    latest = Math.max(latest, time)
    if (!/,K/.test(line)) continue
    const before = cuts.at(-1)
    if (before === undefined) cuts.push(0)
    else if (time - before >= SEGMENT_LENGTH) cuts.push(Math.round(time * 1000) / 1000)
  }
  const areClose = [...cuts.slice(1), latest].every((cut, index) => cut - (cuts[index] as number) <= MAX_LENGTH)
  return areClose ? cuts : []
}

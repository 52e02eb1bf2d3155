import type { FileHandle } from 'node:fs/promises'
import { openContent, runProgram } from '../processes/run-program.ts'
import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import { FORMAT_HEAD, type MediaFormat, mediaFormatOf } from './media-format.ts'
import type { Streams } from './media-reader.ts'
import { readDuration } from './read-tags.ts'
import { paysToCut, SEGMENT_LENGTH } from './segment-plan.ts'

const BOUNDS = { timeout: 30_000, maxBytes: 1024 * 1024 }
const FACTS =
  'format=duration:stream=codec_type,codec_name,pix_fmt,height,r_frame_rate,nb_read_packets:stream_disposition=attached_pic'
/** These formats don't have their length in the header: their pictures are counted. */
const COUNTED: readonly MediaFormat[] = ['mpeg', 'mpegvideo']

/** The part of ffprobe's output that is used. */
interface Probed {
  format?: { duration?: string }
  streams?: {
    codec_type?: string
    codec_name?: string
    pix_fmt?: string
    height?: number
    /** Like `25/1`. */
    r_frame_rate?: string
    nb_read_packets?: string
    disposition?: { attached_pic?: number }
  }[]
}

/**
 * Reads the streams and the duration of a media file; if thorough, also where it can be cut. Returns undefined if that fails
 * for reasons other than the file.
 */
export async function probeStreams(
  content: Uint8Array | string,
  ffprobe: string,
  isThorough: boolean,
): Promise<{ streams: Streams; duration: number | null } | 'none' | undefined> {
  const file = await openContent(content)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FORMAT_HEAD), 0, FORMAT_HEAD, 0)
    const format = mediaFormatOf(buffer.subarray(0, bytesRead))
    if (!format) return 'none'
    const input = inputArguments(format, { withSound: true })
    const counting = COUNTED.includes(format) ? ['-count_packets'] : []
    const requested = [...counting, '-show_entries', FACTS, '-of', 'json', '-i', GIVEN_FILE]
    const args = ['-v', 'quiet', ...MEMORY_BOUNDS, ...input, ...requested]
    const response = await runProgram(ffprobe, args, file, BOUNDS)
    const probed = response && readOutput(response, format)
    if (!isThorough || probed === undefined || probed === 'none' || !paysToCut(probed.streams)) return probed
    return { ...probed, streams: { ...probed.streams, cuts: await findKeyframeCuts(file, probed.streams, ffprobe) } }
  } finally {
    await file.close()
  }
}

function readOutput(response: Buffer, format: MediaFormat): { streams: Streams; duration: number | null } | 'none' {
  const { format: whole, streams = [] } = parse(response)
  const video = streams.find((one) => one.codec_type === 'video' && one.disposition?.attached_pic !== 1)
  const audio = streams.find((one) => one.codec_type === 'audio')
  if (!video && !audio) return 'none'
  return {
    duration: readDuration(Math.max(Number(whole?.duration) || 0, countSeconds(video))),
    streams: {
      format,
      video: video?.codec_name,
      audio: audio?.codec_name,
      pixels: video?.pix_fmt,
      height: video?.height,
    },
  }
}

function countSeconds(video: NonNullable<Probed['streams']>[number] | undefined): number {
  const [pictures = 0, seconds = 1] = (video?.r_frame_rate ?? '').split('/').map(Number)
  return pictures > 0 ? (Number(video?.nb_read_packets ?? 0) * seconds) / pictures : 0
}

function parse(response: Buffer): Probed {
  try {
    return JSON.parse(response.toString()) as Probed
  } catch {
    return {}
  }
}

/** Limits for reading through a film: milliseconds, and the size of ffprobe's output, enough for a million packets. */
const CUT_BOUNDS = { timeout: 20_000, maxBytes: 24 * 1024 * 1024 }
/** Seconds. If key frames are rarer, a seek would wait for everything in between. */
const MAX_LENGTH = 20

/**
 * Finds where a film can be cut without encoding: some of its key frames, in seconds from its start. Most containers have no
 * index of them, so this takes as long as reading the file. Empty if it can't be cut.
 */
async function findKeyframeCuts(file: FileHandle, { format }: Streams, ffprobe: string): Promise<number[]> {
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
    CUT_BOUNDS,
  )
  return response === undefined ? [] : chooseCuts(response.toString('latin1'))
}

/** Chooses the cuts from the packets of a film in decoding order, one per line, with its start in the last line. */
export function chooseCuts(listed: string): number[] {
  const lines = listed.split('\n').filter((line) => line.trim() !== '')
  const origin = Number.parseFloat(lines.pop() ?? '')
  if (!Number.isFinite(origin)) return []
  const cuts: number[] = []
  let latest = 0
  for (const line of lines) {
    const time = Number.parseFloat(line) - origin
    // Pictures without times can't be put in order.
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

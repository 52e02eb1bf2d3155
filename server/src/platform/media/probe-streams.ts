import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import { findKeyframeCuts } from './find-keyframe-cuts.ts'
import { type MediaFormat, mediaFormatOf } from './media-format.ts'
import type { Streams } from './media-reader.ts'
import { openContent, runProgram } from './run-program.ts'
import { paysToCut } from './segment-plan.ts'
import { readDuration } from './tidy-tags.ts'
import { FORMAT_HEAD } from './video-format.ts'

const BOUNDS = { timeout: 30_000, maxBytes: 1024 * 1024 }
const FACTS =
  'format=duration:stream=codec_type,codec_name,pix_fmt,height,r_frame_rate,nb_read_packets:stream_disposition=attached_pic'
/** These do not say how long they are: their pictures are counted. */
const COUNTED: readonly MediaFormat[] = ['mpeg', 'mpegvideo']

/** Only what is used of what ffprobe says. */
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
 * What a film or a piece of music is made of, and how long it is; thoroughly also where it can be cut. Undefined where that
 * cannot be found out here: no fault of the file.
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

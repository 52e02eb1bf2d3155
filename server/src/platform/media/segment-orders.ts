import { cutSegment, segmentArguments } from './cut-segment.ts'
import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import type { Streams } from './media-reader.ts'
import { MAKING_THREADS, type SegmentOrder } from './segment-maker.ts'
import type { SegmentTimes, Way } from './segment-plan.ts'
import { PICTURE, SHEET, type Storyboard } from './storyboard-plan.ts'

/** The blob, and for whom the work is done. */
type Of = Pick<SegmentOrder, 'blobKey' | 'group'> & { streams: Streams; index: number }

/** Returns the order for a segment: a few seconds of a film or of music, as browsers play them. */
export function orderSegment({
  streams,
  index,
  way,
  times,
  ...of
}: Of & { way: Way; times: SegmentTimes }): SegmentOrder {
  return {
    ...of,
    name: `${way}-${index}.ts`,
    arguments: segmentArguments(streams, times, { way, threads: MAKING_THREADS }),
    filter: cutSegment(times, way),
  }
}

/** Returns the order for a sheet of a film's storyboard. */
export function orderSheet({ streams, index, storyboard, ...of }: Of & { storyboard: Storyboard }): SegmentOrder {
  return { ...of, name: `sheet-${index}.jpg`, arguments: sheetArguments(streams, storyboard, index) }
}

/** From this interval on, in seconds, the key frame before each position is used: decoding up to it would take long. */
const COARSE = 4
/**
 * The maximum height for which frames up to each position are decoded, because a sheet needs all its decoders at the same time.
 */
const MAX_HEIGHT = 1088

/** Returns ffmpeg's arguments for one sheet, reading no more of the film than its pictures need. */
function sheetArguments(streams: Streams, { step, count }: Storyboard, sheet: number): string[] {
  const first = sheet * SHEET.pictures
  const places = Array.from({ length: Math.min(SHEET.pictures, count - first) }, (_, index) => (first + index) * step)
  const isCoarse = step >= COARSE || (streams.height ?? 0) > MAX_HEIGHT
  const reading = [...inputArguments(streams.format, { withSound: false }), '-threads', '1', '-an', '-sn', '-dn']
  const skipping = isCoarse ? ['-skip_frame', 'nokey', '-noaccurate_seek'] : []
  const inputs = places.flatMap((place) => [
    ...[...reading, ...skipping, '-skip_loop_filter', 'all'],
    // Some containers fail on a seek to the very start.
    ...(place > 0 ? ['-ss', place.toFixed(3)] : []),
    ...['-i', GIVEN_FILE],
  ])
  const { width, height } = PICTURE
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,setsar=1`
  const pictures = places.map((_, index) => `[${index}:V:0]trim=end_frame=1,setpts=0,scale=iw*sar:ih,${fit}[p${index}]`)
  const labels = places.map((_, index) => `[p${index}]`).join('')
  const joined = `${labels}concat=n=${places.length},tile=${SHEET.columns}x${Math.ceil(places.length / SHEET.columns)}`
  return [
    ...['-nostdin', '-v', 'quiet', ...MEMORY_BOUNDS, '-filter_threads', '1', '-filter_complex_threads', '1'],
    ...[...inputs, '-filter_complex', `${pictures.join(';')};${joined}`, '-frames:v', '1', '-map_metadata', '-1'],
    ...['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '5', '-threads', '1', '-f', 'image2pipe', 'pipe:1'],
  ]
}

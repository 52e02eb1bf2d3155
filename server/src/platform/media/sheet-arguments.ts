import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from './ffmpeg-input.ts'
import type { Streams } from './media-reader.ts'
import { PICTURE, SHEET, type Storyboard } from './storyboard-plan.ts'

/** From this step on, in seconds, the key frame before each place will do: decoding up to it would take long. */
const COARSE = 4
/** So many rows of points at most are decoded up to each place: all the decoders of a sheet are there at once. */
const MAX_HEIGHT = 1088

/** What ffmpeg is told to make one sheet, reading no more of the film than its pictures need. */
export function sheetArguments(streams: Streams, { step, count }: Storyboard, sheet: number): string[] {
  const first = sheet * SHEET.pictures
  const places = Array.from({ length: Math.min(SHEET.pictures, count - first) }, (_, index) => (first + index) * step)
  const isCoarse = step >= COARSE || (streams.height ?? 0) > MAX_HEIGHT
  const reading = [...inputArguments(streams.format, { withSound: false }), '-threads', '1', '-an', '-sn', '-dn']
  const skipping = isCoarse ? ['-skip_frame', 'nokey', '-noaccurate_seek'] : []
  const inputs = places.flatMap((place) => [
    ...[...reading, ...skipping, '-skip_loop_filter', 'all'],
    // Some containers go astray by a seek to their very start.
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

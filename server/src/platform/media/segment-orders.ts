import { cutSegment } from './cut-segment.ts'
import type { Streams } from './media-reader.ts'
import { segmentArguments } from './segment-arguments.ts'
import { MAKING_THREADS, type SegmentOrder } from './segment-maker.ts'
import type { SegmentTimes, Way } from './segment-plan.ts'
import { sheetArguments } from './sheet-arguments.ts'
import type { Storyboard } from './storyboard-plan.ts'

/** Of which blob something is made, and for whom. */
type Of = Pick<SegmentOrder, 'blobKey' | 'group'> & { streams: Streams; index: number }

/** Some seconds of a film or of music, as browsers play them. */
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

/** A sheet of a film's small pictures. */
export function orderSheet({ streams, index, storyboard, ...of }: Of & { storyboard: Storyboard }): SegmentOrder {
  return { ...of, name: `sheet-${index}.jpg`, arguments: sheetArguments(streams, storyboard, index) }
}

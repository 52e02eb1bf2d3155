import { serveWork } from '../processes/serve-work.ts'
import type { MediaReading, ReadingOrder } from './media-reader.ts'
import { probeStreams } from './probe-streams.ts'
import { readTags } from './read-tags.ts'

serveWork<ReadingOrder, MediaReading>(async ({ content, ffprobe, isThorough }) => {
  const tags = await readTags(content)
  const probed = ffprobe === undefined ? undefined : await probeStreams(content, ffprobe, isThorough)
  if (probed === undefined || probed === 'none') return { ...tags, streams: probed }
  return { ...tags, duration: probed.duration ?? tags.duration, streams: probed.streams }
})

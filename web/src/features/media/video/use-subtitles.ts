import { listSubtitles } from '@alcove/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { send } from '../../../api/api.ts'
import { fetchFileAddress } from '../../../api/file-address.ts'

/** Larger files aren't subtitles. */
const MAX_BYTES = 2 * 1024 * 1024

/** Subtitles that the browser can show. */
interface Subtitles {
  readonly id: string
  readonly label: string
  readonly language: string
  readonly url: string
}

/** Loads the subtitle files beside a video and converts them for the browser. Skips those that can't be read. */
export function useSubtitles(videoId: string): readonly Subtitles[] {
  const { data: files } = useQuery({
    queryKey: ['media', 'subtitles', videoId],
    queryFn: ({ signal }) => send(listSubtitles, { id: videoId }, { signal }),
  })
  const [subtitles, setSubtitles] = useState<readonly Subtitles[]>([])
  useEffect(() => {
    if (!files || files.length === 0) return
    const made: string[] = []
    let isOver = false
    async function read({ id, label }: { id: string; label: string }): Promise<Subtitles[]> {
      const response = await fetch(await fetchFileAddress(id))
      if (!response.ok || Number(response.headers.get('content-length')) > MAX_BYTES) return []
      const url = URL.createObjectURL(new Blob([toVtt(await response.text())], { type: 'text/vtt' }))
      made.push(url)
      return [{ id, label: label || 'Subtitles', language: /^[a-z]{2,3}\b/i.exec(label)?.[0] ?? '', url }]
    }
    void Promise.all(files.map((file) => read(file).catch(() => []))).then((read) => {
      if (!isOver) setSubtitles(read.flat())
    })
    return () => {
      isOver = true
      for (const url of made) URL.revokeObjectURL(url)
    }
  }, [files])
  return subtitles
}

/** Converts subtitles from SubRip to WebVTT, which browsers read. Returns WebVTT as it is. */
export function toVtt(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  if (lines.startsWith('WEBVTT')) return lines
  // SubRip has no header, and a comma before the milliseconds.
  return `WEBVTT\n\n${lines.replace(/(\d{1,2}:\d{2}:\d{2}),(\d{3})/g, '$1.$2')}`
}

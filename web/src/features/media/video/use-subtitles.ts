import { listSubtitles } from '@alcove/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { send } from '../../../api/api.ts'
import { findFileAddress } from '../../../api/file-address.ts'
import { toVtt } from './srt-to-vtt.ts'

/** More than that is no text that somebody reads. */
const MAX_BYTES = 2 * 1024 * 1024

/** Subtitles that the browser can show. */
export interface Subtitles {
  readonly id: string
  readonly label: string
  readonly language: string
  readonly url: string
}

/** The subtitles that lie beside a video, read and put into the browser's own form. What cannot be read is left out. */
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
      const response = await fetch(await findFileAddress(id))
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

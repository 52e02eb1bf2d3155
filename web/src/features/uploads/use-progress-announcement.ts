import { useEffect, useState } from 'react'
import { plural } from '../../lib/format.ts'
import type { UploadsSnapshot } from '../../lib/upload-snapshot.ts'

type Stage = 'idle' | 'running' | 'half'

/** What readers are told of the progress: the start, the half and the end, and nothing in between. */
export function useProgressAnnouncement({ uploading, waiting, failed, sent, total, views }: UploadsSnapshot): string {
  const [stage, setStage] = useState<Stage>('idle')
  const [text, setText] = useState('')
  const isRunning = uploading + waiting > 0
  const isHalf = total > 0 && sent >= total / 2
  useEffect(() => {
    if (stage === 'idle' && isRunning) {
      setStage('running')
      setText(`Uploading ${plural(views.length, 'item')}.`)
    } else if (stage !== 'idle' && !isRunning) {
      setStage('idle')
      setText(failed > 0 ? 'Uploads have ended, some have failed.' : 'Uploads have ended.')
    } else if (stage === 'running' && isHalf) {
      setStage('half')
      setText('Half of the uploads is done.')
    }
  }, [stage, isRunning, isHalf, failed, views.length])
  return text
}

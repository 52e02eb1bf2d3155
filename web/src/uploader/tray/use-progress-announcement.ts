import { useEffect, useRef, useState } from 'react'
import { plural } from '../../lib/format.ts'
import type { UploadsSnapshot } from '../engine/upload-snapshot.ts'
import { resultOf } from './upload-texts.ts'

/** What readers are told of the progress: the start, the half and the end, and nothing in between. */
export function useProgressAnnouncement(snapshot: UploadsSnapshot): string {
  const { uploading, waiting, paused, inConflict, sent, total, views } = snapshot
  const [text, setText] = useState('')
  const told = useRef<string>(undefined)
  const isRunning = uploading + waiting > 0
  const isHalf = total > 0 && sent >= total / 2
  const end = paused + inConflict > 0 ? 'Uploads have stopped.' : `Uploads have ended: ${resultOf(snapshot)}.`
  // Nothing is told of what ended before this tab began anything.
  const stage = isRunning ? (isHalf ? 'half' : 'start') : end

  useEffect(() => {
    const before = told.current
    if (stage === before || (before === undefined && stage === end) || views.length === 0) return
    told.current = stage
    if (stage === 'start') setText(`Uploading ${plural(views.length, 'item')}.`)
    else if (stage !== 'half') setText(end)
    // What is over half at once is told by its start alone.
    else setText(before === 'start' ? 'Half of the uploads is done.' : `Uploading ${plural(views.length, 'item')}.`)
  }, [stage, end, views.length])
  return text
}

import { useEffect, useRef, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { siteName } from '../../lib/site.ts'
import type { UploadsSnapshot } from '../upload-view.ts'
import { resultOf, tabTitleOf } from './upload-texts.ts'

/** Returns the announcements for screen readers: when uploads start, are half done and end. */
export function useProgressAnnouncement(snapshot: UploadsSnapshot): string {
  const { uploading, waiting, paused, inConflict, sent, total, views } = snapshot
  const [text, setText] = useState('')
  const told = useRef<string>(undefined)
  const isRunning = uploading + waiting > 0
  const isHalf = total > 0 && sent >= total / 2
  const end = paused + inConflict > 0 ? 'Uploads have stopped.' : `Uploads have ended: ${resultOf(snapshot)}.`
  // Uploads that ended before this tab started one are not announced.
  const stage = isRunning ? (isHalf ? 'half' : 'start') : end

  useEffect(() => {
    const before = told.current
    if (stage === before || (before === undefined && stage === end) || views.length === 0) return
    told.current = stage
    if (stage === 'start') setText(`Uploading ${plural(views.length, 'item')}.`)
    else if (stage !== 'half') setText(end)
    // If uploads are half done at once, only their start is announced.
    else setText(before === 'start' ? 'Half of the uploads are done.' : `Uploading ${plural(views.length, 'item')}.`)
  }, [stage, end, views.length])
  return text
}

const isOurs = () => /^\d+ % · /.test(document.title) && document.title.endsWith(`% · ${siteName}`)

/** Shows the progress in the tab's title during uploads, and restores the page's title afterwards. */
export function useTabTitle(uploads: UploadsSnapshot): void {
  const isRunning = uploads.uploading + uploads.waiting > 0
  const title = isRunning ? tabTitleOf(uploads) : undefined
  const shown = useRef('')
  /** The page's own title, which changes when the user opens another page meanwhile. */
  const own = useRef('')

  useEffect(() => {
    if (title === undefined) return
    if (!isOurs()) own.current = document.title
    shown.current = title
    document.title = title
  }, [title])

  useEffect(() => {
    if (!isRunning) return
    const observer = new MutationObserver(() => {
      if (isOurs()) return
      own.current = document.title
      document.title = shown.current
    })
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      document.title = own.current
    }
  }, [isRunning])
}

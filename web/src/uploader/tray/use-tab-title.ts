import { useEffect, useRef } from 'react'
import type { UploadsSnapshot } from '../engine/upload-snapshot.ts'
import { tabTitleOf } from './upload-texts.ts'

const isOurs = () => /^\d+ % · Alcove$/.test(document.title)

/** While something is uploaded the tab's title tells how far it is; then it is the page's again. */
export function useTabTitle(uploads: UploadsSnapshot): void {
  const isRunning = uploads.uploading + uploads.waiting > 0
  const title = isRunning ? tabTitleOf(uploads) : undefined
  const shown = useRef('')
  /** What the page calls itself: a page that is entered meanwhile has another title to go back to. */
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

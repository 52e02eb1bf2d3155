import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useOverlay } from '../ui/dialogs/overlay-history.ts'

const PARAMETER = 'preview'
/** Set in the history state of a preview that was opened from its page, so that closing can go back. */
const OPENED_HERE = 'isPreviewOpenedHere'

/**
 * Keeps the shown item in the address, as `?preview=<id>`: Back closes the preview, and a reload shows it again. Other
 * parameters are kept.
 */
export function usePreviewAddress() {
  const location = useLocation()
  const navigate = useNavigate()
  const previewId = new URLSearchParams(location.search).get(PARAMETER) || undefined
  const isClosing = useRef(false)
  const latest = useRef({ location, previewId })
  useEffect(() => {
    latest.current = { location, previewId }
    isClosing.current = false
  })

  const open = useCallback(
    (id: string) => {
      const { location, previewId } = latest.current
      const isReplacing = previewId !== undefined
      const state = isReplacing ? location.state : { [OPENED_HERE]: true }
      void navigate(
        { search: withPreview(location.search, id), hash: location.hash },
        { state, replace: isReplacing, preventScrollReset: true },
      )
    },
    [navigate],
  )

  const close = useCallback(() => {
    const { location, previewId } = latest.current
    // Going back is asynchronous. A second Escape would go back twice.
    if (previewId === undefined || isClosing.current) return
    isClosing.current = true
    const state = location.state as Record<string, unknown> | null
    if (state?.[OPENED_HERE]) return void navigate(-1)
    void navigate(
      { search: withPreview(location.search, undefined), hash: location.hash },
      { state, replace: true, preventScrollReset: true },
    )
  }, [navigate])

  // A preview opened by a link has no history entry of the page below.
  const isOpenedHere = (location.state as Record<string, unknown> | null)?.[OPENED_HERE] === true
  useOverlay(previewId !== undefined && !isOpenedHere, close)

  return { previewId, open, close }
}

function withPreview(search: string, id: string | undefined): string {
  const parameters = new URLSearchParams(search)
  if (id === undefined) parameters.delete(PARAMETER)
  else parameters.set(PARAMETER, id)
  return parameters.size > 0 ? `?${parameters}` : ''
}

import { useEffect } from 'react'
import { notifyError } from '../ui/toasts/notify.tsx'
import type { PreviewActions, PreviewItem } from './preview-item.ts'
import { PREVIEW_FAILED } from './preview-texts.ts'
import { useLoaded } from './use-loaded.ts'
import { usePreviewAddress } from './use-preview-address.ts'

interface PreviewProps {
  /** The files of the page in the order shown; `undefined` while they are not known. */
  readonly items: readonly PreviewItem[] | undefined
  readonly actions: PreviewActions
}

/**
 * The place of the preview on a page: shows the file that the address names, over all else. A page opens it by the
 * `open` of `usePreviewAddress`. The previewer itself is fetched only then.
 */
export function Preview({ items, actions }: PreviewProps) {
  const { previewId, open, close } = usePreviewAddress()
  if (previewId === undefined || !items) return null
  return <OpenPreview items={items} actions={actions} previewId={previewId} onShow={open} onClose={close} />
}

interface OpenPreviewProps {
  readonly items: readonly PreviewItem[]
  readonly actions: PreviewActions
  readonly previewId: string
  readonly onShow: (id: string) => void
  readonly onClose: () => void
}

function OpenPreview({ items, actions, previewId, onShow, onClose }: OpenPreviewProps) {
  const overlay = useLoaded(
    () => import('./PreviewOverlay.tsx'),
    () => {
      notifyError(PREVIEW_FAILED)
      onClose()
    },
  )
  const isEmpty = items.length === 0
  useEffect(() => {
    if (isEmpty) onClose()
  }, [isEmpty, onClose])
  if (!overlay || isEmpty) return null
  return (
    <overlay.PreviewOverlay items={items} startId={previewId} actions={actions} onShow={onShow} onClose={onClose} />
  )
}

/** One file shown in place, as on the page of a public link: fills the box around it. */
export function InlinePreview({ item, actions }: { readonly item: PreviewItem; readonly actions: PreviewActions }) {
  const frame = useLoaded(
    () => import('./PreviewFrame.tsx'),
    () => notifyError(PREVIEW_FAILED),
  )
  return frame ? <frame.PreviewFrame key={item.id} item={item} actions={actions} isInline /> : null
}

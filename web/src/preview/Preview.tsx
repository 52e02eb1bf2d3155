import { useEffect } from 'react'
import { useLoaded } from '../lib/lazy-module.ts'
import { notifyError } from '../ui/toasts/notify.tsx'
import { PREVIEW_FAILED, type PreviewActions, type PreviewItem } from './preview-item.ts'
import { usePreviewAddress } from './use-preview-address.ts'

interface PreviewProps {
  /** The files of the page in the order shown; undefined while they are loading. */
  readonly items: readonly PreviewItem[] | undefined
  readonly actions: PreviewActions
}

/**
 * Shows the file that the address names, over the page. A page opens it by the `open` of `usePreviewAddress`. The code
 * of the preview is fetched only then.
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

/** Shows one file within a page, such as that of a public link. It fills its container. */
export function InlinePreview({ item, actions }: { readonly item: PreviewItem; readonly actions: PreviewActions }) {
  const frame = useLoaded(
    () => import('./PreviewFrame.tsx'),
    () => notifyError(PREVIEW_FAILED),
  )
  return frame ? <frame.PreviewFrame item={item} actions={actions} isInline /> : null
}

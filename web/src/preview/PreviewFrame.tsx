import { Component, type ReactNode, useState } from 'react'
import { notifyError } from '../ui/toasts/notify.tsx'
import styles from './PreviewFrame.module.css'
import { PreviewSheet } from './PreviewSheet.tsx'
import { PreviewSpinner } from './PreviewSpinner.tsx'
import type { PreviewActions, PreviewItem } from './preview-item.ts'
import { type PreviewKind, previewKindOf } from './preview-kind.ts'
import { PREVIEW_FAILED, type PreviewProblem } from './preview-texts.ts'
import { useLoaded } from './use-loaded.ts'
import type { Viewer } from './viewer.ts'

const loadImage = async (): Promise<Viewer> => (await import('./image/ImageViewer.tsx')).ImageViewer
const loadMedia = async (): Promise<Viewer> => (await import('./media/MediaViewer.tsx')).MediaViewer

/** Each kind of file brings its own code, fetched with the first file of that kind. */
const viewers: Record<PreviewKind, () => Promise<Viewer>> = {
  image: loadImage,
  thumbnail: loadImage,
  audio: loadMedia,
  video: loadMedia,
  pdf: async () => (await import('./pdf/PdfViewer.tsx')).PdfViewer,
  text: async () => (await import('./text/TextViewer.tsx')).TextViewer,
}

interface PreviewFrameProps {
  readonly item: PreviewItem
  readonly actions: PreviewActions
  /** Within a page, not over it: the page keeps its wheel and its keys. */
  readonly isInline?: boolean
}

/** Shows one file, or why it is not to be seen. A new item needs a new frame: give it a key. */
export function PreviewFrame({ item, actions, isInline = false }: PreviewFrameProps) {
  // A heart that is set makes a new item, but no new file: what is shown stays.
  const [shown] = useState(item)
  const kind = previewKindOf(shown.name)
  const [problem, setProblem] = useState(() => problemOf(shown, kind))
  const { download } = actions

  function fail(reason: PreviewProblem) {
    if (reason === 'unreachable' && !shown.tellsFailures) notifyError(PREVIEW_FAILED)
    setProblem(reason)
  }

  if (!kind || problem) {
    return (
      <PreviewSheet
        item={item}
        problem={problem ?? 'unsupported'}
        onDownload={download && (() => download(item))}
        onRetry={() => setProblem(undefined)}
      />
    )
  }
  return (
    <FailureBoundary onFail={() => fail('broken')}>
      <LoadedViewer kind={kind} item={shown} isInline={isInline} onFail={fail} />
    </FailureBoundary>
  )
}

/** What is wrong with a file from the start. Only a text may have no bytes. */
function problemOf({ size }: PreviewItem, kind: PreviewKind | undefined): PreviewProblem | undefined {
  if (!kind) return 'unsupported'
  return size === 0 && kind !== 'text' ? 'broken' : undefined
}

interface LoadedViewerProps {
  readonly kind: PreviewKind
  readonly item: PreviewItem
  readonly isInline: boolean
  readonly onFail: (problem: PreviewProblem) => void
}

function LoadedViewer({ kind, ...props }: LoadedViewerProps) {
  const View = useLoaded(viewers[kind], () => props.onFail('unreachable'))
  return View ? <View {...props} /> : <PreviewSpinner />
}

/** What a viewer cannot cope with must not take the page along. */
class FailureBoundary extends Component<{ readonly onFail: () => void; readonly children: ReactNode }> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    this.props.onFail()
  }

  override render() {
    return this.state.hasFailed ? <div className={styles.empty} /> : this.props.children
  }
}

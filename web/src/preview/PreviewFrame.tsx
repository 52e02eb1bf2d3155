import { extensionOf } from '@alcove/contract/file-types'
import { type PreviewKind, previewKindOf } from '@alcove/contract/preview-kind'
import { Button, Group } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { Component, type ReactNode, useState } from 'react'
import { formatDay, formatSize } from '../lib/format.ts'
import { useLoaded } from '../lib/lazy-module.ts'
import { FileTypeSheet } from '../ui/FileTypeSheet.tsx'
import { notifyError } from '../ui/toasts/notify.tsx'
import styles from './PreviewFrame.module.css'
import {
  PREVIEW_FAILED,
  type PreviewActions,
  type PreviewItem,
  type PreviewProblem,
  type Viewer,
} from './preview-item.ts'
import { PreviewSpinner } from './viewer-parts.tsx'

const loadImage = async (): Promise<Viewer> => (await import('./image/ImageViewer.tsx')).ImageViewer
const loadMedia = async (): Promise<Viewer> => (await import('./media/MediaViewer.tsx')).MediaViewer

/** The viewer of a kind is fetched with the first file of that kind. */
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
  /** Within a page instead of over it: the page keeps the wheel and the keys. */
  readonly isInline?: boolean
}

/** Shows one file, or why it can't be shown. Give each item its own frame with a key. */
export function PreviewFrame({ item, actions, isInline = false }: PreviewFrameProps) {
  // Adding a favorite makes a new item of the same file. The viewer keeps showing the first one.
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

/** Returns the problem that is known before the file is loaded. Only a text may be empty. */
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

/** Keeps an exception in a viewer from unmounting the page. */
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

const problemTexts: Record<PreviewProblem, string> = {
  unsupported: 'Preview not available for this file type.',
  broken: 'This file cannot be shown. It may be damaged.',
  unplayable: 'This browser cannot play this format. Download the file to play it in another program.',
  unreachable: PREVIEW_FAILED,
}

interface PreviewSheetProps {
  readonly item: PreviewItem
  readonly problem: PreviewProblem
  readonly onDownload?: () => void
  readonly onRetry: () => void
}

/** Shown in place of a file that can't be shown: its type, the reason, and what the user can do. */
function PreviewSheet({ item, problem, onDownload, onRetry }: PreviewSheetProps) {
  return (
    <div className={styles.sheet}>
      <FileTypeSheet filename={item.name} size={96} />
      <p className={styles.text} role="status">
        {problemTexts[problem]}
      </p>
      <p className={styles.details}>{describeItem(item).join(', ')}</p>
      <Group justify="center" gap="xs">
        {problem === 'unreachable' && (
          <Button variant="default" leftSection={<IconRefresh size={18} stroke={1.75} />} onClick={onRetry}>
            Retry
          </Button>
        )}
        {onDownload && (
          <Button leftSection={<IconDownload size={18} stroke={1.75} />} onClick={onDownload}>
            Download
          </Button>
        )}
      </Group>
    </div>
  )
}

/** Returns the type, size and date of a file. */
function describeItem({ name, size, modifiedAt }: PreviewItem): string[] {
  const type = extensionOf(name).toUpperCase()
  return [type ? `${type} file` : 'File', formatSize(size), ...(modifiedAt ? [formatDay(modifiedAt)] : [])]
}

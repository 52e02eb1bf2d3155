import { extensionOf } from '@alcove/contract/file-types'
import { type PreviewKind, previewKindOf } from '@alcove/contract/preview-kind'
import { Button, Group } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
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
  type ViewerProps,
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

/**
 * Shows one file, or why it can't be shown. Starts anew with another file and when the file gets other bytes. A new item of the
 * same bytes, as after a favorite was added, changes nothing in the viewer.
 */
export function PreviewFrame({ item, isInline = false, ...props }: PreviewFrameProps) {
  const [{ shown, latest, isBegun }, setState] = useState({ shown: item, latest: item, isBegun: !isInline })
  if (item !== latest) {
    setState(
      hasSameBytes(latest, item)
        ? { shown, latest: item, isBegun }
        : // A file that is replaced while it is shown doesn't start to play.
          { shown: item, latest: item, isBegun: !isInline && item.id !== latest.id },
    )
  }
  return (
    <Frame
      key={`${shown.id} ${shown.version} ${shown.size} ${shown.modifiedAt}`}
      item={item}
      shown={shown}
      isInline={isInline}
      isBegun={isBegun}
      {...props}
    />
  )
}

/** A file that was renamed has another version too, but the same bytes: playback must not start over. */
function hasSameBytes(before: PreviewItem, { id, size, modifiedAt, version, name }: PreviewItem): boolean {
  if (before.id !== id || before.size !== size || before.modifiedAt !== modifiedAt) return false
  return before.version === version || before.name !== name
}

interface FrameProps extends Required<PreviewFrameProps> {
  /** The item that the viewer shows; `item` may be a newer one of the same bytes. */
  readonly shown: PreviewItem
  readonly isBegun: boolean
}

function Frame({ item, shown, actions, isInline, isBegun }: FrameProps) {
  const queryClient = useQueryClient()
  const kind = previewKindOf(shown.name)
  const [problem, setProblem] = useState(() => problemOf(shown, kind))
  const { download } = actions

  function fail(reason: PreviewProblem) {
    // The list on screen is older than the file. The new list brings a new item.
    if (reason === 'replaced') void queryClient.invalidateQueries()
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
      <LoadedViewer kind={kind} item={shown} isInline={isInline} isBegun={isBegun} onFail={fail} />
    </FailureBoundary>
  )
}

/** Returns the problem that is known before the file is loaded. Only a text may be empty. */
function problemOf({ size }: PreviewItem, kind: PreviewKind | undefined): PreviewProblem | undefined {
  if (!kind) return 'unsupported'
  return size === 0 && kind !== 'text' ? 'broken' : undefined
}

interface LoadedViewerProps extends ViewerProps {
  readonly kind: PreviewKind
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
  replaced: 'This file has been replaced. Loading the new content...',
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
        {(problem === 'unreachable' || problem === 'replaced') && (
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

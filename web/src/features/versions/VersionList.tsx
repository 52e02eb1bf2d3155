import type { File } from '@alcove/contract/items'
import type { Version } from '@alcove/contract/versions'
import { Loader, Skeleton, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { VirtualList, VirtualRow } from '../../ui/VirtualList.tsx'
import { useCurrentFile, useVersions } from './queries.ts'
import { useVersionRows } from './use-version-rows.ts'
import styles from './VersionList.module.css'
import { VersionPreview } from './VersionPreview.tsx'
import { CurrentVersionRow, type VersionAction, VersionRow } from './VersionRow.tsx'
import type { VersionBytes } from './version-bytes.ts'
import { isGone, remove, rename, reportFailure, restore } from './version-changes.ts'
import { describeWhen } from './version-texts.ts'

interface VersionListProps {
  readonly file: File
  readonly bytes: VersionBytes
  /** The version that is previewed. */
  readonly previewed: Version | undefined
  readonly onPreview: (version: Version | undefined) => void
}

/** The current version of a file and below it the earlier ones, newest first. Only the rows in view are in the document. */
export function VersionList({ file: known, bytes, previewed, onPreview }: VersionListProps) {
  const file = useCurrentFile(known)
  const { data, error, isFetching, isPaused, hasNextPage, isFetchNextPageError, fetchNextPage, refetch } = useVersions(
    file.id,
  )
  const versions = useMemo(() => data?.pages.flatMap((page) => page.versions) ?? [], [data])
  const total = data?.pages.at(-1)?.total ?? 0
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, height, measure, setFocusedId, focusControl, moveFocus } = useVersionRows(scroller, versions, {
    onEnd: hasNextPage && !isFetching && !isFetchNextPageError ? () => void fetchNextPage() : undefined,
  })
  const { busy, editedId, setEditedId, actions } = useVersionActions(file, bytes, onPreview)

  function stopEditing({ id }: Version) {
    setEditedId(undefined)
    focusControl(id, 'name')
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: the keyboard scrolls it
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="group" aria-label="Versions" data-scroller>
      <VisuallyHidden role="status">{data ? plural(total, 'earlier version') : ''}</VisuallyHidden>
      <CurrentVersionRow file={file} name={data?.pages[0]?.currentName ?? null} />
      {!data && <Unloaded error={error} isPaused={isPaused} isBusy={isFetching} onRetry={() => void refetch()} />}
      {data && versions.length === 0 && (
        <p className={styles.empty}>
          No earlier versions yet. When this file is replaced, its old content appears here.
        </p>
      )}
      <VirtualList height={height} aria-label="Earlier versions" onKeyDown={moveFocus}>
        {rows.map(({ key, index, start }) => {
          const version = versions[index]
          return (
            version && (
              <VirtualRow
                key={key}
                ref={measure}
                top={start}
                data-index={index}
                data-version-id={version.id}
                aria-setsize={total}
                aria-posinset={index + 1}
                onFocus={() => setFocusedId(version.id)}
              >
                <VersionRow
                  file={file}
                  version={version}
                  busy={busy?.id === version.id ? busy.action : undefined}
                  isEditing={editedId === version.id}
                  onAction={(action) => actions[action](version)}
                  onRename={async (name) => {
                    await actions.saveName(version, name)
                    stopEditing(version)
                  }}
                  onStopEditing={() => stopEditing(version)}
                />
              </VirtualRow>
            )
          )
        })}
      </VirtualList>
      {data && hasNextPage && (
        <div className={styles.more}>
          {isFetchNextPageError ? (
            <LoadError text="Couldn't load more versions." isBusy={isFetching} onRetry={() => void fetchNextPage()} />
          ) : (
            <Loader size={20} role="status" aria-label="Loading more versions" />
          )}
        </div>
      )}
      <VersionPreview
        file={file}
        version={previewed}
        toPreviewItem={bytes.toPreviewItem}
        onDownload={actions.download}
        onRestore={actions.restore}
        onClose={() => onPreview(undefined)}
      />
    </div>
  )
}

interface UnloadedProps {
  readonly error: unknown
  readonly isPaused: boolean
  readonly isBusy: boolean
  readonly onRetry: () => void
}

/** Shown until the versions have loaded, or why they haven't. */
function Unloaded({ error, isPaused, isBusy, onRetry }: UnloadedProps): ReactNode {
  if (isPaused) return <LoadError text="You are offline." isBusy={false} onRetry={onRetry} />
  if (isGone(error)) return <LoadError text="This file no longer exists." isBusy={isBusy} onRetry={onRetry} />
  if (error) return <LoadError text="Couldn't load the versions of this file." isBusy={isBusy} onRetry={onRetry} />
  return (
    <div className={styles.skeletons}>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </div>
  )
}

interface Busy {
  readonly id: string
  readonly action: VersionAction
}

/** Returns what can be done with a version. One thing is done at a time, so a double click does nothing. */
function useVersionActions(file: File, bytes: VersionBytes, onPreview: (version: Version) => void) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<Busy>()
  const [editedId, setEditedId] = useState<string>()
  const isBusy = useRef(false)

  async function run(version: Version, action: VersionAction, work: () => Promise<void>) {
    if (isBusy.current) return
    isBusy.current = true
    setBusy({ id: version.id, action })
    try {
      await work()
    } finally {
      isBusy.current = false
      setBusy(undefined)
    }
  }

  async function download(version: Version) {
    try {
      await bytes.download(file, version)
    } catch (error) {
      reportFailure(queryClient, file, error, "Couldn't download this version.")
    }
  }

  async function askAndRemove(version: Version) {
    const isConfirmed = await confirm({
      question: 'Delete this version?',
      verb: 'Delete',
      detail: `The version replaced ${describeWhen(version.createdAt)} is deleted permanently. The file itself stays.`,
    })
    if (isConfirmed) await remove(queryClient, file, version)
  }

  return {
    busy,
    editedId,
    setEditedId,
    actions: {
      preview: onPreview,
      download: (version: Version) => void run(version, 'download', () => download(version)),
      restore: (version: Version) => void run(version, 'restore', () => restore(queryClient, file, version)),
      name: ({ id }: Version) => setEditedId(id),
      delete: (version: Version) => void run(version, 'delete', () => askAndRemove(version)),
      saveName: (version: Version, name: string) => rename(queryClient, file, version, name),
    },
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeys } from '../../lib/query-keys.ts'
import { uploads } from '../../lib/uploads.ts'
import { notifyError, notifySuccess } from '../../ui/notify.tsx'

/** What is on screen is fetched anew at most once in so many milliseconds while files come in. */
const REFRESH_INTERVAL = 1000
/** And for at most a quarter of the time, however long a large folder takes. */
const REFRESH_REST = 3

/** Tells how each choice of files ended, once. */
export function useUploadToasts(): void {
  useEffect(
    () =>
      uploads.listen({
        batchSettled({ kind, failed, reason }) {
          if (kind === 'file') {
            if (failed > 0) notifyError('File upload failed.')
            else notifySuccess('File uploaded successfully.')
          } else if (failed > 0) notifyError(`Folder upload failed: ${reason}`)
          else notifySuccess('Folder uploaded successfully.')
        },
      }),
    [],
  )
}

/** Makes the folders that files arrive in, and the storage, show them. */
export function useUploadRefresh(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const stale = new Set<string | undefined>()
    let isRunning = false
    let isOver = false

    async function refresh() {
      if (isRunning) return
      isRunning = true
      while (stale.size > 0 && !isOver) {
        const folderIds = [...stale]
        stale.clear()
        const startedAt = performance.now()
        await Promise.all([
          ...folderIds.map((folderId) => queryClient.invalidateQueries({ queryKey: queryKeys.folder(folderId) })),
          queryClient.invalidateQueries({ queryKey: queryKeys.storage }),
        ])
        const took = performance.now() - startedAt
        await new Promise((resolve) => setTimeout(resolve, Math.max(REFRESH_INTERVAL, took * REFRESH_REST)))
      }
      isRunning = false
    }

    const stopListening = uploads.listen({
      stored({ folder_id }, { parentFolderId }) {
        stale.add(parentFolderId).add(folder_id ?? undefined)
        void refresh()
      },
      // The folders between that of the upload and those of its files are known to the server alone.
      batchSettled({ kind }) {
        if (kind === 'folder') void queryClient.invalidateQueries({ queryKey: queryKeys.folders })
      },
    })
    return () => {
      isOver = true
      stopListening()
    }
  }, [queryClient])
}

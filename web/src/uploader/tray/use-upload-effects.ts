import type { File as StoredFile } from '@alcove/contract/items'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { getSession, useSession } from '../../api/session.ts'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import { parentOf, patchItems } from '../../items/lists/item-lists.ts'
import { notifyInBackground } from '../../ui/toasts/notify.tsx'
import { useNoStrayDrops } from '../file-input/file-drops.ts'
import { openTray, uploads } from '../uploads.ts'
import { describeThinned } from './thinned-text.ts'

/** The minimum time in milliseconds between two refetches of the shown folder during uploads. */
const REFRESH_INTERVAL = 1000
/** The pause after a refetch, as a multiple of its duration, so that refetching takes at most a quarter of the time. */
const REFRESH_REST = 3

/** Runs the effects of uploads on the page, whether or not the tray is shown. */
export function useUploadEffects(): void {
  useOwner()
  useToasts()
  useRefresh()
  useNoStrayDrops()
}

/** Opens the queue for the signed-in user. New uploads open the tray, except those that the vault itself shows. */
function useOwner(): void {
  const { userId } = useSession()
  useEffect(() => uploads.listen({ added: ({ isEncrypted }) => !isEncrypted && openTray() }), [])
  useEffect(() => {
    if (!userId) return
    // A separate task, because opening the IndexedDB database must not delay the first screen.
    const timer = setTimeout(() => void uploads.open(userId, getSession().email))
    return () => clearTimeout(timer)
  }, [userId])
}

/** Shows one toast with the result of each batch. */
function useToasts(): void {
  useEffect(
    () =>
      uploads.listen({
        batchSettled({ kind, isEncrypted, failed, reason, thinnedBytes }) {
          if (thinnedBytes > 0) notifyInBackground('success', describeThinned(thinnedBytes))
          if (isEncrypted) return tellEncrypted(kind, failed === 0)
          if (kind === 'file') {
            if (failed > 0) notifyInBackground('failure', 'File upload failed.')
            else notifyInBackground('success', 'File uploaded successfully.')
          } else if (failed > 0) notifyInBackground('failure', `Folder upload failed: ${reason}`)
          else notifyInBackground('success', 'Folder uploaded successfully.')
        },
        foldersCreated({ target, problem, isAll }) {
          if (target.isEncrypted && (problem || isAll)) tellEncrypted('folder', !problem)
          else if (problem) notifyInBackground('failure', `Folder upload failed: ${problem}`)
          else if (isAll) notifyInBackground('success', 'Folder uploaded successfully.')
        },
      }),
    [],
  )
}

/** Shows the toast of an upload to the vault, which has its own texts. */
function tellEncrypted(kind: 'file' | 'folder', isDone: boolean): void {
  const isFile = kind === 'file'
  if (isDone)
    notifyInBackground(
      'success',
      isFile ? 'Encrypted file uploaded successfully.' : 'Encrypted folder uploaded successfully.',
    )
  else notifyInBackground('failure', isFile ? 'Encrypted upload failed' : 'Folder upload failed')
}

/** Updates the lists of folders that received files, and the storage bar. */
function useRefresh(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let arrived: StoredFile[] = []
    let touched = new Set<string | undefined>()
    const known = new Set<string | undefined>()
    const stale = new Set<string | undefined>()
    let isRunning = false
    let isOver = false

    async function refresh() {
      if (isRunning) return
      isRunning = true
      while ((arrived.length > 0 || stale.size > 0) && !isOver) {
        const folderIds = [...stale]
        stale.clear()
        const startedAt = performance.now()
        // Stored files are inserted into the cached lists, so that a large folder isn't refetched for each file.
        patchItems(queryClient, arrived)
        arrived = []
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
      stored(file, target) {
        const folderId = parentOf(file)
        const parentFolderId = target.parentFolderId ?? (target.isEncrypted ? VAULT_ROOT : undefined)
        arrived.push(file)
        touched.add(folderId)
        // The first file in a folder may have created the folder.
        if (folderId !== parentFolderId && !known.has(folderId)) stale.add(parentFolderId)
        known.add(folderId)
        void refresh()
      },
      foldersCreated: () => void queryClient.invalidateQueries({ queryKey: queryKeys.folders }),
      // Only the server knows the folders between the target and the files.
      batchSettled({ kind }) {
        void queryClient.invalidateQueries({ queryKey: queryKeys.media })
        void queryClient.invalidateQueries({ queryKey: queryKeys.folders, type: 'inactive', refetchType: 'none' })
        if (kind === 'folder') void queryClient.invalidateQueries({ queryKey: queryKeys.folders })
        for (const folderId of touched) stale.add(folderId)
        touched = new Set()
        void refresh()
      },
    })
    return () => {
      isOver = true
      stopListening()
    }
  }, [queryClient])
}

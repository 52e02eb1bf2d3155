import type { File as StoredFile } from '@alcove/contract/items'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import { parentOf, patchItems } from '../../items/lists/item-lists.ts'
import { notifyInBackground } from '../../ui/toasts/notify.tsx'
import { useNoStrayDrops } from '../file-input/file-drops.ts'
import { showTray, uploads } from '../uploads.ts'

/** What is on screen is fetched anew at most once in so many milliseconds while files come in. */
const REFRESH_INTERVAL = 1000
/** And for at most a quarter of the time, however long a large folder takes. */
const REFRESH_REST = 3

/** What uploads do to the page, whether or not their tray is there. */
export function useUploadEffects(): void {
  useOwner()
  useToasts()
  useRefresh()
  useNoStrayDrops()
}

/** The uploads belong to who is signed in; each new one opens the tray, but for those that the vault shows itself. */
function useOwner(): void {
  const { email } = useSession()
  useEffect(() => uploads.listen({ added: ({ isEncrypted }) => !isEncrypted && showTray(true) }), [])
  useEffect(() => {
    if (!email) return
    // In a task of its own: it opens a database of the browser, and the first screen doesn't wait for that.
    const timer = setTimeout(() => void uploads.open(email))
    return () => clearTimeout(timer)
  }, [email])
}

/** Tells how each choice of files ended, once. */
function useToasts(): void {
  useEffect(
    () =>
      uploads.listen({
        batchSettled({ kind, isEncrypted, failed, reason }) {
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

/** The vault's own words. */
function tellEncrypted(kind: 'file' | 'folder', isDone: boolean): void {
  const isFile = kind === 'file'
  if (isDone)
    notifyInBackground(
      'success',
      isFile ? 'Encrypted file uploaded successfully.' : 'Encrypted folder uploaded successfully.',
    )
  else notifyInBackground('failure', isFile ? 'Encrypted upload failed' : 'Folder upload failed')
}

/** Makes the folders that files arrive in, and the storage, show them. */
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
        // What has come is put into its place here: a large folder is not fetched again for each of its files.
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
        // The first file of a folder may have brought the folder along.
        if (folderId !== parentFolderId && !known.has(folderId)) stale.add(parentFolderId)
        known.add(folderId)
        void refresh()
      },
      foldersCreated: () => void queryClient.invalidateQueries({ queryKey: queryKeys.folders }),
      // The folders between that of the upload and those of its files are known to the server alone.
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

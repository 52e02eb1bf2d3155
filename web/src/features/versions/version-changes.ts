import type { OutputOf } from '@alcove/contract/call'
import type { File } from '@alcove/contract/items'
import {
  deleteVersion,
  type listVersions,
  renameVersion,
  restoreVersion,
  type Version,
} from '@alcove/contract/versions'
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError, send, sentenceOf } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { runChange } from '../../items/changes.ts'
import { parentOf, patchItems } from '../../items/lists/item-lists.ts'
import { notifyUndoable, undoChange } from '../../items/report-undo.ts'
import { offerUnlock } from '../../items/unlock.ts'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'
import { versionListKey } from './queries.ts'

/** Makes a version the current one, and offers to undo that. The bytes that it replaces become a version themselves. */
export async function restore(queryClient: QueryClient, file: File, version: Version): Promise<void> {
  try {
    const replacedVersionId = await exchange(queryClient, file, version.id)
    if (replacedVersionId === null) notifySuccess('The file already has the content of this version.')
    else {
      notifyUndoable('Version restored.', () =>
        undoChange('The file has its later content again.', () => exchange(queryClient, file, replacedVersionId)),
      )
    }
  } catch (error) {
    reportFailure(queryClient, file, error, "Couldn't restore this version.")
  }
}

/** Gives a file the bytes of a version. Returns the version that its bytes have become, or null if they were the same. */
async function exchange(queryClient: QueryClient, file: File, versionId: string): Promise<string | null> {
  const { replacedVersionId } = await runChange(queryClient, {
    touches: [
      ...[queryKeys.folder(parentOf(file)), queryKeys.favorites, queryKeys.searches, queryKeys.items],
      ...[queryKeys.media, queryKeys.storage, queryKeys.versionsOf(file.id)],
    ],
    call: () => send(restoreVersion, { id: file.id, versionId }),
    onDone({ replacedVersionId: _, ...restored }) {
      patchItems(queryClient, [restored])
    },
  })
  return replacedVersionId
}

/** Names a version, or removes its name. Rejects if the server refuses, so that the form can show why. */
export async function rename(queryClient: QueryClient, file: File, version: Version, name: string): Promise<void> {
  try {
    await runChange(queryClient, {
      touches: [queryKeys.versionsOf(file.id)],
      call: () => send(renameVersion, { id: file.id, versionId: version.id, name: name.trim() || null }),
      onDone: (renamed) => patchVersions(queryClient, file, (all) => all.map((one) => pick(one, renamed))),
    })
  } catch (error) {
    if (!isGone(error)) throw error
    reportFailure(queryClient, file, error, "Couldn't name this version.")
  }
}

const pick = (one: Version, renamed: Version) => (one.id === renamed.id ? renamed : one)

export async function remove(queryClient: QueryClient, file: File, version: Version): Promise<void> {
  try {
    await runChange(queryClient, {
      touches: [queryKeys.versionsOf(file.id), queryKeys.storage],
      call: () => send(deleteVersion, { id: file.id, versionId: version.id }),
      onDone: () => patchVersions(queryClient, file, (all) => all.filter(({ id }) => id !== version.id)),
    })
    notifySuccess('Version deleted.')
  } catch (error) {
    reportFailure(queryClient, file, error, "Couldn't delete this version.")
  }
}

type Pages = InfiniteData<OutputOf<typeof listVersions>>

function patchVersions(queryClient: QueryClient, file: File, change: (versions: Version[]) => Version[]): void {
  const queryKey: QueryKey = versionListKey(file.id)
  queryClient.setQueryData<Pages>(
    queryKey,
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, versions: change(page.versions) })) },
  )
}

/** Returns whether an error says that the version, or the file, no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Shows why something failed. A version that is gone disappears from the list. */
export function reportFailure(queryClient: QueryClient, file: File, error: unknown, text: string): void {
  if (isGone(error)) {
    notifyError('This version no longer exists. The list has been updated.')
    void queryClient.invalidateQueries({ queryKey: queryKeys.versionsOf(file.id) })
  } else {
    const reason = sentenceOf(error) ?? 'Check your connection, then try again.'
    notifyError(`${text} ${reason}`, offerUnlock(queryClient, error))
  }
}

import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'

/**
 * Calls `store` with a new key, to write a blob and to commit a row that refers to it. `store` calls `onCommit` in between. Before
 * that and after a refusal no row refers to the bytes. They are removed, because on a full disk they would occupy the missing
 * space. After an unexpected error a row may exist, so the bytes are left to the sweep, as they are while the store is unavailable.
 */
export async function storingBlob<T>(
  { blobs }: Pick<UserContext, 'blobs'>,
  store: (blobKey: string, onCommit: () => void) => Promise<T>,
): Promise<T> {
  const blobKey = createBlobKey()
  let isCommitting = false
  try {
    return await store(blobKey, () => {
      isCommitting = true
    })
  } catch (error) {
    const hasNoRow = !isCommitting || error instanceof AppError
    const isUnavailable = error instanceof AppError && error.code === 'unavailable'
    if (hasNoRow && !isUnavailable) await blobs.remove(blobKey).catch(() => {})
    throw error
  }
}

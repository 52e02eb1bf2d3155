import { MAX_FOLDER_PATHS } from '@alcove/contract/limits'
import { ApiError } from '../../api/api.ts'
import { withRetries } from '../../api/retries.ts'
import type { UploadTarget } from './upload-entries.ts'
import type { UploadEnvironment } from './upload-environment.ts'

/** Creates the folders that no file brings along. Gives what went wrong, in words, or undefined. */
export async function createEmptyFolders(
  { transport, connection }: UploadEnvironment,
  folderPaths: readonly string[],
  { parentFolderId, isEncrypted }: UploadTarget,
): Promise<string | undefined> {
  const { signal } = new AbortController()
  try {
    for (let start = 0; start < folderPaths.length; start += MAX_FOLDER_PATHS) {
      const some = folderPaths.slice(start, start + MAX_FOLDER_PATHS)
      const create = () => transport.createFolders({ parentFolderId, isEncrypted, folderPaths: some }, signal)
      await withRetries(create, { signal, connection })
    }
    return undefined
  } catch (error) {
    return (error instanceof ApiError && error.text) || 'its empty folders could not be created.'
  }
}

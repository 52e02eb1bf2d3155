import type { File as StoredFile } from '@alcove/contract/items'
import type { Batch } from './upload-batches.ts'
import type { UploadTarget } from './upload-entries.ts'

export interface UploadListeners {
  /** Everything that was chosen in one go has come to its end. */
  batchSettled(batch: Readonly<Batch>): void
  /** A file has been stored. */
  stored(file: StoredFile, target: UploadTarget): void
  /** The folders that no file brings along were created, or not; `isAll`: nothing else was chosen. */
  foldersCreated(told: { readonly target: UploadTarget; readonly problem?: string; readonly isAll: boolean }): void
  /** Uploads have been added, or were found unfinished; those to the vault are shown by its own screen. */
  added(told: { readonly isEncrypted: boolean }): void
}

/** What happens once, and is told to whoever listens then. */
export function createUploadEvents() {
  const listeners = new Set<Partial<UploadListeners>>()
  return {
    listen(listener: Partial<UploadListeners>): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell<E extends keyof UploadListeners>(event: E, ...told: Parameters<UploadListeners[E]>): void {
      for (const listener of listeners) {
        const hear = listener[event] as ((...told: Parameters<UploadListeners[E]>) => void) | undefined
        hear?.(...told)
      }
    },
  }
}

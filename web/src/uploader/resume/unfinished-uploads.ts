import { UPLOAD_TTL } from '@alcove/contract/limits'
import type { UploadSeal } from '../engine/upload-source.ts'
import { inStores, isIn, keep } from './upload-database.ts'
import { releasedBy, TAB } from './upload-tabs.ts'

/** What must be known to go on with an upload after a reload, once its file has been chosen again. */
export interface UnfinishedUpload {
  readonly uploadId: string
  /** The e-mail address of the user whose upload it is. */
  readonly owner: string
  /** The row of the tray that it belongs to. */
  readonly entryId: string
  readonly entryKind: 'file' | 'folder'
  readonly entryName: string
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly chunkSize: number
  readonly parentFolderId?: string
  readonly relativePath?: string
  /** The name of the folder that it goes to. */
  readonly folderName?: string
  /** What it is encrypted under; never the passphrase, nor the key. */
  readonly seal?: UploadSeal
  readonly startedAt: number
}

/** Keeps unfinished uploads over a reload. No method rejects: those whose failure matters return it. */
export interface UnfinishedUploads {
  remember(uploads: readonly UnfinishedUpload[]): Promise<void>
  forget(uploadId: string): void
  /** Removes an upload, so that no later page resumes it. Resolves to whether it is certainly gone. */
  abandon(uploadId: string): Promise<boolean>
  /** Notes what is sent as a chunk, so that a file chosen again can be proved to be the same; false when it can't be stored. */
  noteChunk(uploadId: string, index: number, digest: string): Promise<boolean>
  /** The digests of the chunks that were sent; undefined when they can't be read. */
  listChunks(uploadId: string): Promise<ReadonlyMap<number, string> | undefined>
  /** Passes what a user left unfinished to `onFound`: at once, or when the tab that is busy with it has gone. */
  takeOver(owner: string, onFound: (uploads: UnfinishedUpload[]) => void): Promise<void>
}

type Kept = UnfinishedUpload & { readonly tab: string }

/** So many are written at once: writing ten thousand in one go would hold up the page. */
const TOGETHER = 250
const FORGET_DELAY = 100

/** All that were forgotten since the page was loaded; the first `done` of them are no longer kept. */
const forgotten = new Set<string>()
let done = 0

/** In IndexedDB; the uploads of a tab are its own for as long as it lives. */
export const browserUnfinishedUploads: UnfinishedUploads = {
  async remember(uploads) {
    for (let start = 0; start < uploads.length; start += TOGETHER) {
      await keep((stores) => {
        for (const upload of uploads.slice(start, start + TOGETHER)) {
          if (!forgotten.has(upload.uploadId)) stores.uploads.put({ ...upload, tab: TAB } satisfies Kept)
        }
      })
    }
  },
  forget(uploadId) {
    if (forgotten.size === done) setTimeout(forgetTogether, FORGET_DELAY)
    forgotten.add(uploadId)
  },
  abandon(uploadId) {
    this.forget(uploadId)
    return keep((stores) => {
      stores.uploads.delete(uploadId)
      stores.chunks.delete(isIn(uploadId))
    })
  },
  noteChunk: (uploadId, index, digest) => keep((stores) => stores.chunks.put({ uploadId, index, digest })),
  async listChunks(uploadId) {
    const chunks = await inStores((stores) => stores.chunks.getAll(isIn(uploadId)))
    if (chunks === undefined) return undefined
    return new Map((chunks as { index: number; digest: string }[]).map(({ index, digest }) => [index, digest]))
  },
  async takeOver(owner, onFound) {
    const all = await listKept(owner)
    const tabs = new Set(all.map(({ tab }) => tab))
    if (tabs.delete(TAB)) onFound(all.filter(({ tab }) => tab === TAB))
    for (const tab of tabs) {
      void releasedBy(tab, async () => {
        // Looked at again: it may have ended, or another tab was first.
        const left = (await listKept(owner)).filter((upload) => upload.tab === tab)
        await browserUnfinishedUploads.remember(left)
        onFound(left)
      })
    }
  },
}

async function listKept(owner: string): Promise<Kept[]> {
  const all = ((await inStores((stores) => stores.uploads.getAll())) ?? []) as Kept[]
  const oldest = Date.now() - UPLOAD_TTL
  for (const { uploadId, startedAt } of all) if (startedAt < oldest) browserUnfinishedUploads.forget(uploadId)
  return all.filter((one) => one.owner === owner && !forgotten.has(one.uploadId))
}

function forgetTogether(): void {
  const uploadIds = [...forgotten].slice(done)
  done = forgotten.size
  void keep((stores) => {
    for (const uploadId of uploadIds) {
      stores.uploads.delete(uploadId)
      stores.chunks.delete(isIn(uploadId))
    }
  })
}

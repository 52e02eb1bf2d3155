import { constants, createReadStream, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { storeDiskFile } from '../disk-file.ts'
import { openFolder } from '../walk-folder.ts'
import type { TakeoutPart } from './takeout-part.ts'

/** Opens a folder into which archives were extracted. The place of a file is its path in the folder. */
export function openFolderPart(folder: string, dataDir: string): TakeoutPart {
  const root = realpathSync(folder)
  const source = openFolder(folder, dataDir)
  return {
    async *list(onSkip) {
      for await (const { folders, files } of source.pages(onSkip)) {
        for (const { filename, origin, size, modifiedAt, open } of files) {
          const read = async () => buffer(await open())
          yield { names: [...folders, filename], origin, size, modifiedAt, place: origin, read }
        }
      }
    },
    open: async ({ place }) =>
      createReadStream(join(root, place), { flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as never }),
    store: ({ place }, blobs, blobKey, onBytes) => storeDiskFile({ path: join(root, place), blobs, blobKey, onBytes }),
    close: async () => {},
  }
}

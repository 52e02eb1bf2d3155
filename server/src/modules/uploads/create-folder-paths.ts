import type { createFolderPaths as call } from '@alcove/contract/uploads'
import type { Operation } from '../../platform/http/api.ts'
import { addFolder, assertDepthBelow, changeTree, nameKey, nameTaken, type Place } from '../items/index.ts'
import { type Destination, openDestination } from './destination.ts'
import { findSibling } from './ensure-folders.ts'

/** Creates the folders of an upload that no file brings along: the empty ones. All of them or none. */
export const createFolderPaths: Operation<typeof call> = async (ctx, { parentFolderId, folderPaths, isEncrypted }) => {
  const area = isEncrypted ? 'vault' : 'drive'
  const destination: Destination = { folderId: parentFolderId, folders: [], area, isEncrypted, onConflict: 'fail' }
  const count = await changeTree(ctx, async (tx) => {
    const root = await openDestination(tx, ctx.user, destination)
    await assertDepthBelow(tx, root.id, Math.max(...folderPaths.map((path) => path.length)))
    // What several paths have in common is looked for, or created, once.
    const known = new Map<string, Place>()
    let created = 0
    for (const path of folderPaths) {
      let parent: Place = root
      for (const name of path) {
        const key = `${parent.id}/${nameKey(name)}`
        parent = known.get(key) ?? (await ensureFolder(parent, name))
        known.set(key, parent)
      }
    }
    return created

    async function ensureFolder(parent: Place, name: string): Promise<Place> {
      const sibling = await findSibling(tx, parent, name)
      if (sibling?.kind === 'file') throw nameTaken(name)
      if (sibling) return sibling
      created += 1
      return addFolder(ctx, tx, parent, name)
    }
  })
  return { message: 'Folders created.', count }
}

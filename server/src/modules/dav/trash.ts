import { changeTree, moveToTrash } from '../items/index.ts'
import { DavError } from './dav-error.ts'
import { type DavHandler, readDepth } from './dav-request.ts'
import { assertPreconditions } from './preconditions.ts'
import { getAt } from './resolve-path.ts'

/** Handles DELETE: moves a file or folder to the trash. */
export const trash: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  if (path.length === 0) throw new DavError(403, 'The root folder can’t be deleted.')
  await changeTree(ctx, async (tx) => {
    const found = await getAt(tx, ctx.user, path)
    // A folder is deleted as a whole (RFC 4918, section 9.6.1).
    if (found.item.kind === 'folder') readDepth(dav, ['infinity'], 'infinity')
    await assertPreconditions(tx, dav, found)
    await moveToTrash(ctx, tx, [found.item])
  })
  return reply.status(204).send()
}

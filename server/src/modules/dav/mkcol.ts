import { addFolder, assertDepthBelow, changeTree, noteActivity } from '../items/index.ts'
import { conflict, DavError } from './dav-error.ts'
import type { DavHandler } from './dav-request.ts'
import { assertPreconditions } from './preconditions.ts'
import { readBody } from './read-xml.ts'
import { describeStored } from './remote/describe-stored.ts'
import { resolvePath } from './resolve-path.ts'

/** Creates a folder. */
export const mkcol: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  if ((await readBody(dav)).length > 0) throw new DavError(415, 'A MKCOL request must not have a body.')
  const created = await changeTree(ctx, async (tx) => {
    const found = await resolvePath(tx, ctx.user, path)
    if (found.item) throw new DavError(405, 'Something with this name exists already.')
    if (!found.parent) throw conflict('The folder around this folder does not exist.')
    await assertPreconditions(tx, dav, found)
    await assertDepthBelow(tx, found.parent.id, 1)
    const folder = await addFolder(ctx, tx, found.parent, path.at(-1) as string)
    noteActivity(tx, ctx.user, { action: 'added', folderId: found.parent.id, items: [folder], now: ctx.clock.now() })
    return folder
  })
  await describeStored(dav, created)
  return reply.status(201).send()
}

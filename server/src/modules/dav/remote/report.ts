import { Readable } from 'node:stream'
import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isInReach } from '../../items/index.ts'
import { DavError } from '../dav-error.ts'
import type { DavHandler } from '../dav-request.ts'
import { childrenOf, findChild, readXml, textOf } from '../read-xml.ts'
import { MULTISTATUS_END, MULTISTATUS_START, type Wanted } from '../write-multistatus.ts'
import { nameKey, OWNCLOUD, XML_TYPE } from '../write-xml.ts'
import { FAVORITE } from './remote-properties.ts'
import { itemWriter } from './write-items.ts'

const PAGE = 1000

/** Lists favorites for clients of Nextcloud (`oc:filter-files` with the rule `oc:favorite`). Other reports don't exist. */
export const report: DavHandler = async (dav) => {
  const { ctx, reply } = dav
  const body = await readXml(dav)
  const isOwncloud = (local: string) => (one: Parameters<typeof nameKey>[0]) =>
    nameKey(one) === nameKey({ namespace: OWNCLOUD, local })
  const rules = body && isOwncloud('filter-files')(body) && childrenOf(body).find(isOwncloud('filter-rules'))
  const [rule, ...others] = rules ? childrenOf(rules) : []
  if (!body || !rule || others.length > 0 || nameKey(rule) !== FAVORITE || textOf(rule).trim() !== '1') {
    throw new DavError(501, 'Only reports of favorites are supported.')
  }
  const list = findChild(body, 'prop')
  const wanted: Wanted = { kind: 'prop', names: list ? childrenOf(list) : [] }
  const write = await itemWriter(dav, wanted)
  reply.status(207).type(XML_TYPE)
  return reply.send(Readable.from(writeAll(), { objectMode: false }))

  async function* writeAll(): AsyncGenerator<string> {
    yield MULTISTATUS_START
    for await (const rows of readPages(ctx.db, ctx.user)) yield await write(rows)
    yield MULTISTATUS_END
  }
}

async function* readPages(db: Database, user: SessionUser): AsyncGenerator<ItemRow[]> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('items')
      .selectAll()
      .where('owner_id', '=', user.id)
      .where('area', '=', 'drive')
      .where('favorite_at', 'is not', null)
      .where('trash_id', 'is', null)
      .where('mount_of', 'is', null)
      .where(isInReach(user))
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id as string
  }
}

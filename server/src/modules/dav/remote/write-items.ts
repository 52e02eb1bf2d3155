import type { ItemRow } from '../../../platform/db/tables.ts'
import { readFolderPaths } from '../../items/index.ts'
import { writeHref } from '../dav-path.ts'
import { type DavRequest, propertiesOf } from '../dav-request.ts'
import { readAccount, readResources } from '../resource.ts'
import { needsOf, responseWriter, type Wanted } from '../write-multistatus.ts'

/** Returns a function that writes the responses for items anywhere in the drive. */
export async function itemWriter(
  { ctx, mount }: Pick<DavRequest, 'ctx' | 'mount'>,
  wanted: Wanted,
): Promise<(rows: readonly ItemRow[]) => Promise<string>> {
  const properties = propertiesOf(mount)
  const needs = needsOf(wanted, properties)
  const account = needs.account ? await readAccount({ ctx, mount }) : undefined
  const write = responseWriter(wanted, { now: ctx.clock.now(), properties, hrefOfFolder: () => mount.prefix })
  return async (rows) => {
    const folders = [...new Set(rows.map((row) => row.parent_id as string))]
    const paths = await readFolderPaths(ctx.db, folders, ctx.user.driveRootId)
    const found = rows.map((row) => {
      const around = (paths.get(row.parent_id as string) ?? '').split('/').filter((name) => name !== '')
      return { row, href: writeHref(mount, [...around, row.name], row.kind) }
    })
    const written = new Map<string, string>()
    const writeAll = async (some: typeof found) => {
      for (const resource of await readResources(ctx, some, needs, account)) written.set(resource.href, write(resource))
    }
    await writeAll(found.filter(({ row }) => row.kind === 'file'))
    // One folder may lie below another, so their sizes can't be measured together.
    for (const one of found.filter(({ row }) => row.kind === 'folder')) await writeAll([one])
    return found.map(({ href }) => written.get(href)).join('')
  }
}

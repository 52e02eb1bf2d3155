import { listItems } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import { listTrash } from '@alcove/contract/trash'
import type { TestClient } from '@alcove/server/testing/client'
import { lineOf, lineOfTrashed } from './tree.ts'

/** What the server shows of the items whose names begin alike. */
export interface Shown {
  /** As `linesOf` has them. */
  lines: string[]
  ids: Map<string, string>
  /** Names of the files that can be seen. */
  files: string[]
}

const EVERYTHING = 10_000

export async function readItems(client: TestClient, prefix: string): Promise<Shown> {
  const shown: Shown = { lines: [], ids: new Map(), files: [] }
  const walk = async (folder: string | undefined, folderId: string | undefined): Promise<void> => {
    for (const item of await list(client, folderId)) {
      if (!item.name.startsWith(prefix)) continue
      shown.lines.push(lineOf(folder, item.name, sizeOf(item)))
      shown.ids.set(item.name, item.id)
      if (item.type === 'folder') await walk(item.name, item.id)
      else shown.files.push(item.name)
    }
  }
  await walk(undefined, undefined)
  const trash = await client.call(listTrash, {})
  expectSuccess(trash, 'the trash')
  for (const item of [...trash.body.files, ...trash.body.folders]) {
    if (!item.name.startsWith(prefix)) continue
    shown.lines.push(lineOfTrashed(item.name, sizeOf(item)))
    shown.ids.set(item.name, item.id)
  }
  shown.lines.sort()
  return shown
}

async function list(client: TestClient, folderId: string | undefined): Promise<Item[]> {
  const page = await client.call(listItems, { folderId, limit: EVERYTHING })
  expectSuccess(page, 'a list')
  return page.body.items
}

function sizeOf(item: Item): number | undefined {
  return item.type === 'file' ? item.size : undefined
}

/** Fails where a call that had to go well was refused. */
export function expectSuccess({ status, body }: { status: number; body?: unknown }, what: string): void {
  if (status >= 300) throw new Error(`${what} was refused with ${status}: ${JSON.stringify(body)}`)
}

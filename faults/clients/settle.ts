import { fetchFile } from '@alcove/contract/bytes'
import { listItems } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import { searchItems } from '@alcove/contract/search'
import { listTrash } from '@alcove/contract/trash'
import { completeUpload, getUpload } from '@alcove/contract/uploads'
import { listVersions, type Version } from '@alcove/contract/versions'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { bytesOf, type Content, digestOf } from '../random.ts'
import type { Client, PendingCall, Upload } from './client.ts'
import { lineOf, lineOfTrashed, linesOf, type Tree, withEntries } from './tree.ts'
import { complete, listMissing, sendChunks, sendTogether, sendWhole } from './upload.ts'

/**
 * Compares the restarted server with what the client remembers: everything acknowledged must be there, and the call in
 * progress must have been done completely or not at all. Afterwards the client knows which of the two happened.
 */
export async function settle(client: Client): Promise<void> {
  const { pending } = client
  const shown = await readItems(client, namesWithVersions(client.tree, pending?.tree))
  client.acknowledge(recognize(client, shown))
  // Keeps the ids of items in the trash, which may be restored.
  client.ids = new Map([...client.ids, ...shown.ids])
  await checkSearch(client, shown)
  for (const upload of client.uploads) await settleUpload(client, upload, pending)
  await readContents(client)
}

/** Returns the files that have versions in either state. */
function namesWithVersions(...trees: readonly (Tree | undefined)[]): Set<string> {
  const entries = trees.flatMap((tree) => [...(tree?.values() ?? [])])
  return new Set(entries.filter(({ versions }) => versions.length > 0).map(({ name }) => name))
}

/** Returns which of the two possible states the server shows. Throws if it is neither. */
function recognize(client: Client, { lines }: Shown) {
  const { pending } = client
  const tree = pending && pending.together.length > 0 ? withShown(client.tree, pending.tree, lines) : client.tree
  const isSameAs = (wanted: string[]) => wanted.join('\n') === lines.join('\n')
  if (isSameAs(linesOf(tree))) return tree
  if (pending && isSameAs(linesOf(pending.tree))) return pending.tree
  throw new Error(
    [
      `The items of ${client.name} differ from what was expected. The call in progress was: ${pending?.what ?? 'none'}.`,
      ...differences(linesOf(tree), lines).map((line) => `before: ${line}`),
      ...differences(linesOf(pending?.tree ?? tree), lines).map((line) => `after: ${line}`),
    ].join('\n'),
  )
}

/** Returns the tree with those files of a request that the server shows. Each of them may have been stored or not. */
function withShown(before: Tree, after: Tree, lines: readonly string[]): Tree {
  const shown = new Set(lines)
  const added = [...after.values()].filter(({ name }) => !before.has(name))
  return withEntries(
    before,
    ...added.filter(({ folder, name, content }) => shown.has(lineOf(folder, name, content?.size))),
  )
}

function differences(wanted: readonly string[], found: readonly string[]): string[] {
  return [
    ...wanted.filter((line) => !found.includes(line)).map((line) => `missing: ${line}`),
    ...found.filter((line) => !wanted.includes(line)).map((line) => `unexpected: ${line}`),
  ]
}

/** Throws if the search finds something that the lists don't show. */
async function checkSearch(client: Client, { lines }: Shown): Promise<void> {
  const found = await client.api.call(searchItems, { q: client.prefix })
  expectSuccess(found, 'a search')
  const seen = new Set(lines.filter((line) => !line.startsWith('trash: ')).map((line) => line.split(/[/ ]/).at(-2)))
  const hidden = found.body.filter(({ name }) => name.startsWith(client.prefix) && !seen.has(name))
  if (hidden.length > 0)
    throw new Error(`a search of ${client.name} found items that the lists don't show: ${JSON.stringify(hidden)}`)
  if (found.body.length === 0 && seen.size > 0) throw new Error(`a search of ${client.name} found nothing`)
}

async function settleUpload(client: Client, upload: Upload, pending: PendingCall | undefined): Promise<void> {
  const { name, received } = upload
  const response = await client.api.call(getUpload, { uploadId: upload.id })
  if (response.status === 404) {
    if (received.size > 0) throw new Error(`the server lost the upload of ${name}`)
  } else {
    expectSuccess(response, `the upload of ${name}`)
    if (response.body.file) return settleCompleted(client, upload)
    const lost = [...received].filter((index) => !response.body.received.includes(index))
    if (lost.length > 0) throw new Error(`the chunks ${lost} of ${name} were acknowledged but are missing`)
    received.clear()
    for (const index of response.body.received) received.add(index)
  }
  if (pending?.what === `the file ${name}`) return sendWhole(client, upload)
  // Only uploads of that request: others may be replacements, which this kind of request doesn't support.
  if (response.status === 404 && pending?.together.includes(upload)) return sendTogether(client, [upload])
  if (client.random.isOnce(2)) return
  await sendChunks(client, upload, listMissing(upload))
  await complete(client, upload)
}

/** Checks that the file exists and that completing it again gives the same response. */
async function settleCompleted(client: Client, upload: Upload): Promise<void> {
  const { id, name, content } = upload
  if (client.tree.get(name)?.content !== content)
    throw new Error(`the upload of ${name} is complete, but its file is not`)
  const again = await client.api.call(completeUpload, { uploadId: id })
  expectSuccess(again, `the completion of ${name}`)
  if (again.body.id !== client.idOf(name)) throw new Error(`${name} was created twice`)
  client.uploads.delete(upload)
}

/** Compares the bytes of all visible files that were stored since the last time. */
async function readContents(client: Client): Promise<void> {
  for (const name of client.unread) {
    const entry = client.tree.get(name)
    if (!entry?.content) client.unread.delete(name)
    if (!entry?.content || entry.trash !== undefined) continue
    const folderId = entry.folder === undefined ? undefined : client.idOf(entry.folder)
    const { status, bytes } = await client.api.raw(fetchFile, { filename: name, folderId })
    if (status !== 200) throw new Error(`reading ${name} failed with ${status}`)
    if (digestOf(bytes) !== digestOf(bytesOf(entry.content))) throw new Error(`${name} has other bytes`)
    const versions = entry.versions.length > 0 ? await listAllVersions(client.api, client.idOf(name)) : []
    for (const [index, { sha256 }] of versions.entries()) {
      const expected = digestOf(bytesOf(entry.versions[index] as Content))
      // The digest of a larger file is computed later, from the bytes that `verify` compares with it.
      if (sha256 !== null && sha256 !== expected) throw new Error(`version ${index} of ${name} has other bytes`)
    }
    client.unread.delete(name)
  }
}

/** The items of a client on the server. */
interface Shown {
  /** In the format of `linesOf`. */
  lines: string[]
  ids: Map<string, string>
  /** Names of the visible files. */
  files: string[]
}

const EVERYTHING = 10_000

async function readItems({ api: client, prefix }: Client, withVersions: ReadonlySet<string>): Promise<Shown> {
  const shown: Shown = { lines: [], ids: new Map(), files: [] }
  const walk = async (folder: string | undefined, folderId: string | undefined): Promise<void> => {
    for (const item of await list(client, folderId)) {
      if (!item.name.startsWith(prefix)) continue
      const versions = withVersions.has(item.name) ? await listAllVersions(client, item.id) : []
      shown.lines.push(lineOf(folder, item.name, sizeOf(item), versions))
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

async function listAllVersions(client: TestClient, id: string): Promise<readonly Version[]> {
  const page = await client.call(listVersions, { id })
  expectSuccess(page, 'the versions of a file')
  return page.body.versions
}

function sizeOf(item: Item): number | undefined {
  return item.type === 'file' ? item.size : undefined
}

/** Throws if a call failed that had to succeed. */
export function expectSuccess({ status, body }: { status: number; body?: unknown }, what: string): void {
  if (status >= 300) throw new Error(`${what} failed with ${status}: ${JSON.stringify(body)}`)
}

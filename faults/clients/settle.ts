import { fetchFile } from '@alcove/contract/bytes'
import { searchItems } from '@alcove/contract/search'
import { completeUpload, getUpload } from '@alcove/contract/uploads'
import { bytesOf, digestOf } from '../content.ts'
import type { Client, Doing } from './client.ts'
import { expectSuccess, readItems, type Shown } from './read-items.ts'
import { lineOf, linesOf, type Tree, withEntries } from './tree.ts'
import { complete, listMissing, sendChunks, sendTogether, sendWhole } from './upload.ts'
import type { Upload } from './upload-plan.ts'

/**
 * Holds the server, which has come back, to what the client remembers: everything acknowledged is there, and what was on
 * its way has been done as a whole or not at all. Afterwards the client knows which of the two it was.
 */
export async function settle(client: Client): Promise<void> {
  const shown = await readItems(client.api, client.prefix)
  const { doing } = client
  client.hold(recognize(client, shown))
  // What is hidden in the trash now may be seen again.
  client.ids = new Map([...client.ids, ...shown.ids])
  await expectFoundIsSeen(client, shown)
  for (const upload of client.uploads) await settleUpload(client, upload, doing)
  await readContents(client)
}

function recognize(client: Client, { lines }: Shown) {
  const { doing } = client
  const tree = doing && doing.together.length > 0 ? withThoseSeen(client.tree, doing.tree, lines) : client.tree
  const isSameAs = (wanted: string[]) => wanted.join('\n') === lines.join('\n')
  if (isSameAs(linesOf(tree))) return tree
  if (doing && isSameAs(linesOf(doing.tree))) return doing.tree
  throw new Error(
    [
      `${client.name}, who was ${doing ? `waiting for ${doing.what}` : 'waiting for nothing'}, finds something else`,
      ...differences(linesOf(tree), lines).map((line) => `before: ${line}`),
      ...differences(linesOf(doing?.tree ?? tree), lines).map((line) => `after: ${line}`),
    ].join('\n'),
  )
}

/** Of files that came together each is there or not; with which the client would have gone on, it sees by what is shown. */
function withThoseSeen(before: Tree, after: Tree, lines: readonly string[]): Tree {
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

/** The search shows nothing that lists do not. */
async function expectFoundIsSeen(client: Client, { lines }: Shown): Promise<void> {
  const found = await client.api.call(searchItems, { q: client.prefix })
  expectSuccess(found, 'a search')
  const seen = new Set(lines.filter((line) => !line.startsWith('trash: ')).map((line) => line.split(/[/ ]/).at(-2)))
  const hidden = found.body.filter(({ name }) => name.startsWith(client.prefix) && !seen.has(name))
  if (hidden.length > 0) throw new Error(`${client.name} finds what is not there: ${JSON.stringify(hidden)}`)
  if (found.body.length === 0 && seen.size > 0) throw new Error(`${client.name} finds nothing by searching`)
}

async function settleUpload(client: Client, upload: Upload, doing: Doing | undefined): Promise<void> {
  const { name, received } = upload
  const response = await client.api.call(getUpload, { uploadId: upload.id })
  if (response.status === 404) {
    if (received.size > 0) throw new Error(`the server has forgotten the upload of ${name}`)
  } else {
    expectSuccess(response, `the upload of ${name}`)
    if (response.body.file) return settleCompleted(client, upload)
    const lost = [...received].filter((index) => !response.body.received.includes(index))
    if (lost.length > 0) throw new Error(`the chunks ${lost} of ${name} were acknowledged and are not there`)
    received.clear()
    for (const index of response.body.received) received.add(index)
  }
  if (doing?.what === `the file ${name}`) return sendWhole(client, upload)
  // Only what was in that request: another upload that never began may replace a file, which this way of sending cannot say.
  if (response.status === 404 && doing?.together.includes(upload)) return sendTogether(client, [upload])
  if (client.random.isOnce(2)) return
  await sendChunks(client, upload, listMissing(upload))
  await complete(client, upload)
}

/** It is among the items, and asked for again the response is the same. */
async function settleCompleted(client: Client, upload: Upload): Promise<void> {
  const { id, name, content } = upload
  if (client.tree.get(name)?.content !== content) throw new Error(`the upload of ${name} says that it is complete`)
  const again = await client.api.call(completeUpload, { uploadId: id })
  expectSuccess(again, `the completion of ${name}`)
  if (again.body.id !== client.idOf(name)) throw new Error(`${name} was made twice`)
  client.uploads.delete(upload)
}

/** Compares the bytes of all files that have come since the last time and can be seen. */
async function readContents(client: Client): Promise<void> {
  for (const name of client.unread) {
    const entry = client.tree.get(name)
    if (!entry?.content) client.unread.delete(name)
    if (!entry?.content || entry.trash !== undefined) continue
    const folderId = entry.folder === undefined ? undefined : client.idOf(entry.folder)
    const { status, bytes } = await client.api.raw(fetchFile, { filename: name, folderId })
    if (status !== 200) throw new Error(`the bytes of ${name} were answered with ${status}`)
    if (digestOf(bytes) !== digestOf(bytesOf(entry.content))) throw new Error(`${name} has other bytes`)
    client.unread.delete(name)
  }
}

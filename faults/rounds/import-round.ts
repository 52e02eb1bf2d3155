import { once } from 'node:events'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fetchFile } from '@alcove/contract/bytes'
import { getStorage } from '@alcove/contract/files'
import { listItems, trashItems } from '@alcove/contract/item-calls'
import { deleteItems } from '@alcove/contract/trash'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { type ProcessResult, runCommandProcess, spawnOperator } from '@alcove/server/testing/clients/operator-process'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { expectSuccess } from '../clients/settle.ts'
import { work } from '../clients/work.ts'
import { bytesOf, type Content, digestOf, type Random } from '../random.ts'
import { openScenario, type Scenario } from './round.ts'

const KIBIBYTE = 1024
/** Most files are rows of the database of small blobs, some are files, and a few take long enough to be killed in the middle. */
const KINDS = [
  { files: 1200, least: 0, max: 16 * KIBIBYTE },
  { files: 150, least: 65 * KIBIBYTE, max: 200 * KIBIBYTE },
  { files: 3, least: 4096 * KIBIBYTE, max: 12_288 * KIBIBYTE },
]
const FOLDERS = ['', 'photos', 'photos/2019', 'photos/2019/beach', 'photos/2020', 'documents', 'a/b/c/d/e']
/** The folder of the drive into which everything is imported. */
const INTO = 'Moved in'
/** The date of each file, in seconds since 1970. */
const DATE = 1_500_000_000
/** How many files are compared byte by byte after a kill. */
const COMPARED = 40
const EVERYTHING = 10_000
/** The time that importing takes at least, in milliseconds: on a busy machine both measured times may be off. */
const LEAST = 300
/** The time between two looks at whether something was imported, in milliseconds. */
const POLL = 10

/** A server whose users work, and a tree that is imported for one more user beside it. */
export interface Importing {
  scenario: Scenario
  email: string
  client: TestClient
  /** The folder of this machine, and what is in it by path. */
  tree: string
  files: ReadonlyMap<string, Content>
  /** How long a command takes that imports nothing, and one that imports everything, in milliseconds. */
  takes: { nothing: number; everything: number }
  close(): Promise<void>
}

export async function openImporting(random: Random, databaseUrl?: string): Promise<Importing> {
  const scenario = await openScenario(random, databaseUrl)
  const tree = await mkdtemp(join(tmpdir(), 'alcove-import-'))
  const email = `mara-${random.between(0, 2 ** 32 - 1)}@example.com`
  const { client } = await signUp(scenario.server.url, email, [scenario.server.dataDir])
  const files = await writeTree(tree, random)
  const importing: Importing = {
    ...{ scenario, email, client, tree, files, takes: { nothing: 0, everything: 0 } },
    close: async () => {
      await scenario.close()
      await rm(tree, { recursive: true })
    },
  }
  importing.takes = {
    everything: await timeImport(importing, files.size),
    nothing: await timeImport(importing, 0),
  }
  await removeImported(importing)
  return importing
}

async function writeTree(tree: string, random: Random): Promise<Map<string, Content>> {
  const files = new Map<string, Content>()
  for (const { files: count, least, max } of KINDS) {
    for (let index = 0; index < count; index++) {
      const content = { number: files.size, size: random.between(least, max) }
      const path = join(random.pick(FOLDERS), `${files.size}.bin`)
      files.set(path, content)
      await mkdir(dirname(join(tree, path)), { recursive: true })
      await writeFile(join(tree, path), bytesOf(content))
      await utimes(join(tree, path), DATE, DATE)
    }
  }
  return files
}

const commandOf = ({ email, tree }: Importing) => ['import', email, tree, '--into', INTO]

/** Runs the import to its end, and returns the milliseconds. Throws unless it imports so many files, and finds the others there. */
async function timeImport(importing: Importing, expected?: number): Promise<number> {
  const start = performance.now()
  const result = await runCommandProcess(importing.scenario.environment, ...commandOf(importing))
  const [imported = 0, present = 0] = countDone(result)
  if (result.code !== 0 || imported + present !== importing.files.size || (expected ?? imported) !== imported) {
    throw new Error(`the import ended with ${result.code}:\n${result.output}`)
  }
  return performance.now() - start
}

/** Returns the numbers of files that the report names: imported, and already there. */
function countDone({ output }: ProcessResult): number[] {
  return [/^Imported: ([\d,]+) files?, \S+ \S+ in/m, /^Already there: ([\d,]+) files?/m].map((line) =>
    Number(line.exec(output)?.[1]?.replaceAll(',', '') ?? 0),
  )
}

/**
 * Kills the import while the server's users work, sometimes together with the server, and checks everything. In some rounds the
 * import is then continued to its end. Returns whether it was killed when some of the files had been imported.
 */
export async function killImport(importing: Importing, random: Random): Promise<boolean> {
  const { scenario, client, takes, files } = importing
  const before = await readUsedBytes(client)
  const isServerKilled = random.isOnce(4)
  let isOver = false
  const working = Promise.allSettled(scenario.accounts.flat().map((client) => work(client, () => isOver)))
  const command = spawnOperator(scenario.environment, ...commandOf(importing))
  const ended = once(command, 'exit')
  const moment = random.fraction()
  if (random.isOnce(5)) await Promise.race([wait(moment * takes.nothing), ended])
  else {
    while (command.exitCode === null && (await readUsedBytes(client)) === before) await wait(POLL)
    await Promise.race([wait(moment * Math.max(takes.everything - takes.nothing, LEAST)), ended])
  }
  const isKilled = command.kill('SIGKILL')
  // A client that went on after the server's death would forget its call in progress.
  isOver = true
  if (isServerKilled) await scenario.server.kill()
  await ended
  for (const end of await working) if (end.status === 'rejected') throw end.reason
  if (isServerKilled) await scenario.server.start()
  await scenario.check()
  const imported = await checkImported(importing, random, COMPARED)
  if (imported === files.size || random.isOnce(3)) await complete(importing, random)
  return isKilled && imported > 0 && imported < files.size
}

/** Continues the import to its end, checks that everything is there once, and removes it. */
export async function complete(importing: Importing, random: Random): Promise<void> {
  await timeImport(importing)
  await timeImport(importing, 0)
  const imported = await checkImported(importing, random, importing.files.size)
  if (imported !== importing.files.size) throw new Error(`only ${imported} files were imported`)
  await removeImported(importing)
}

/** Compares the drive with the tree, and some of the files byte by byte. Returns the number of files that were imported. */
async function checkImported({ client, files }: Importing, random: Random, compared: number): Promise<number> {
  const shown = await listFiles(client, undefined, '')
  let bytes = 0
  for (const [path, { size, modifiedAt }] of shown) {
    const expected = files.get(path.slice(INTO.length + 1))
    if (size !== expected?.size) throw new Error(`${path} has ${size} bytes instead of ${expected?.size}`)
    if (modifiedAt !== new Date(DATE * 1000).toISOString()) throw new Error(`${path} has the date ${modifiedAt}`)
    bytes += size
  }
  const used = await readUsedBytes(client)
  if (used !== bytes) throw new Error(`${used} bytes are recorded as used, but ${bytes} were imported`)
  for (const [path, { name, folderId }] of random.shuffle([...shown]).slice(0, compared)) {
    const { status, bytes: content } = await client.raw(fetchFile, { filename: name, folderId })
    const expected = digestOf(bytesOf(files.get(path.slice(INTO.length + 1)) as Content))
    if (status !== 200 || digestOf(content) !== expected) throw new Error(`${path} has other bytes (${status})`)
  }
  return shown.size
}

async function readUsedBytes(client: TestClient): Promise<number> {
  const storage = await client.call(getStorage, {})
  expectSuccess(storage, 'the storage')
  return storage.body.used_bytes
}

interface ShownFile {
  name: string
  folderId: string | undefined
  size: number
  modifiedAt: string | undefined
}

/** Returns all files below a folder by their paths. Throws if two have the same one. */
async function listFiles(
  client: TestClient,
  folderId: string | undefined,
  path: string,
): Promise<Map<string, ShownFile>> {
  const shown = new Map<string, ShownFile>()
  const page = await client.call(listItems, { folderId, limit: EVERYTHING })
  expectSuccess(page, 'a list')
  for (const item of page.body.items) {
    const at = path === '' ? item.name : `${path}/${item.name}`
    const found: [string, ShownFile][] =
      item.type === 'folder'
        ? [...(await listFiles(client, item.id, at))]
        : [[at, { name: item.name, folderId, size: item.size, modifiedAt: item.modifiedAt }]]
    for (const [name, file] of found) {
      if (shown.has(name)) throw new Error(`${name} is there twice`)
      shown.set(name, file)
    }
  }
  return shown
}

async function removeImported({ client }: Importing): Promise<void> {
  const page = await client.call(listItems, {})
  expectSuccess(page, 'a list')
  const itemIds = page.body.items.map(({ id }) => id)
  expectSuccess(await client.call(trashItems, { itemIds }), 'trashing')
  expectSuccess(await client.call(deleteItems, { itemIds }), 'deleting')
}

import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { MAX_FILE_DATE } from '@alcove/contract/limits'
import { FILE_NAME_EMPTY, findNameProblem } from '@alcove/contract/names'
import { CommandError } from '../../command.ts'
import type { OnSkip, Source, SourceFile, SourcePage } from '../source.ts'
import { openFolder } from '../walk-folder.ts'
import { Sidecars } from './find-sidecar.ts'
import { type ArchivedFile, listZip } from './zip-archive.ts'

/** A sidecar is a few kilobytes. */
const MAX_SIDECAR = 1024 * 1024
const PAGE = 500

/** A folder of all photos of a year, in the language of the account: `Photos from 2019`, `2019年の写真`. */
const YEAR_FOLDER = /^(\D+ (19|20)\d\d|(19|20)\d\d\D+)$/u

interface TakeoutFolder {
  readonly names: readonly string[]
  readonly files: Map<string, SourceFile>
  /** The sidecars of photos, and the file that describes an album. */
  readonly sidecars: Set<string>
  isAlbum: boolean
}

/**
 * Makes the parts of a Google Takeout a source: ZIP archives, or folders into which they were extracted. Photos get the dates of their
 * sidecars, which aren't imported themselves. A photo that is in an album is left out of the folder of its year.
 */
export async function openTakeout(parts: readonly string[], dataDir: string): Promise<Source> {
  const skipped: [string, string][] = []
  const onSkip: OnSkip = (origin, reason) => skipped.push([origin, reason])
  const folders = new Map<string, TakeoutFolder>()
  for (const part of parts) {
    for await (const file of listPart(part, dataDir, onSkip)) addFile(folders, file, onSkip)
  }
  for (const folder of folders.values()) await readSidecars(folder, onSkip)
  await dropDoubles([...folders.values()])
  return {
    pages(report) {
      for (const [origin, reason] of skipped) report(origin, reason)
      return pagesOf(folders.values())
    },
  }
}

async function* listPart(part: string, dataDir: string, onSkip: OnSkip): AsyncGenerator<ArchivedFile> {
  if (/\.(tgz|tar\.gz|tar)$/i.test(part)) {
    throw new CommandError(`${part}: extract it first (tar -xf ${basename(part)} -C FOLDER), and import the folder.`)
  }
  if (statSync(part).isDirectory()) {
    for await (const { folders, files } of openFolder(part, dataDir).pages(onSkip)) {
      for (const file of files) yield { ...file, names: [...folders, file.filename] }
    }
  } else yield* await listZip(part, onSkip)
}

/** Adds a file to its folder, without the outer folder `Takeout`. A file that is in two parts counts once. */
function addFile(folders: Map<string, TakeoutFolder>, file: ArchivedFile, onSkip: OnSkip): void {
  const names = file.names[0] === 'Takeout' ? file.names.slice(1) : file.names
  const problem = names.map((name) => findNameProblem(name, FILE_NAME_EMPTY)).find((found) => found !== undefined)
  if (problem !== undefined) {
    onSkip(file.origin, problem)
    return
  }
  const filename = names.at(-1) as string
  // A page for browsing the archive.
  if (names.length === 1 && filename === 'archive_browser.html') return
  const path = names.slice(0, -1).join('/')
  const folder = folders.get(path) ?? {
    names: names.slice(0, -1),
    files: new Map(),
    sidecars: new Set(),
    isAlbum: false,
  }
  folders.set(path, folder)
  const before = folder.files.get(filename)
  if (!before) folder.files.set(filename, file)
  else if (before.size !== file.size) onSkip(file.origin, 'another file with this name is in another part')
}

/** Gives the photos of a folder the dates of their sidecars, and takes these out. */
async function readSidecars(folder: TakeoutFolder, onSkip: OnSkip): Promise<void> {
  const sidecars = new Sidecars<Sidecar>()
  const all: Sidecar[] = []
  for (const [filename, file] of folder.files) {
    if (!filename.toLowerCase().endsWith('.json') || file.size > MAX_SIDECAR) continue
    const content = await readJson(file)
    if (content === undefined) continue
    if (content.takenAt !== undefined) {
      const sidecar = { takenAt: content.takenAt, origin: file.origin, isUsed: false }
      all.push(sidecar)
      sidecars.add(filename, sidecar)
      folder.sidecars.add(filename)
    } else if (content.isAlbum) {
      folder.isAlbum = true
      folder.sidecars.add(filename)
    }
  }
  // An album of Google Photos always has photos; other services have files that look like its description.
  if (all.length === 0) {
    folder.isAlbum = false
    folder.sidecars.clear()
    return
  }
  for (const filename of folder.sidecars) folder.files.delete(filename)
  const withoutOwn: string[] = []
  const date = (filename: string, sidecar: Sidecar | undefined) => {
    if (!sidecar) return false
    sidecar.isUsed = true
    const file = folder.files.get(filename) as SourceFile
    folder.files.set(filename, datedAs(file, sidecar.takenAt))
    return true
  }
  for (const filename of folder.files.keys()) if (!date(filename, sidecars.find(filename))) withoutOwn.push(filename)
  for (const filename of withoutOwn) date(filename, sidecars.findBesides(filename))
  for (const { origin, isUsed } of all) {
    if (!isUsed) onSkip(origin, 'the photo that it describes is missing; it may be in another part of the archive')
  }
}

interface Sidecar {
  readonly takenAt: number
  readonly origin: string
  isUsed: boolean
}

function datedAs(file: SourceFile, modifiedAt: number): SourceFile {
  return {
    ...file,
    modifiedAt,
    store: async (...given) => ({ ...(await file.store(...given)), modifiedAt }),
  }
}

/** Returns when a photo was taken, or whether the file describes an album. Undefined if it is something else. */
async function readJson(file: SourceFile): Promise<{ takenAt?: number; isAlbum?: boolean } | undefined> {
  try {
    const content = JSON.parse((await buffer(await file.open())).toString('utf8')) as Record<string, unknown> | null
    if (typeof content !== 'object' || content === null) return undefined
    const taken = content.photoTakenTime as { timestamp?: unknown } | undefined
    const seconds = Number(taken?.timestamp)
    if (taken && Number.isFinite(seconds)) {
      return { takenAt: Math.min(Math.max(Math.trunc(seconds * 1000), 0), MAX_FILE_DATE) }
    }
    return { isAlbum: typeof content.title === 'string' && !('url' in content) }
  } catch {
    // It is a file that happens to be called so, or is damaged. It is imported as it is.
    return undefined
  }
}

/** Takes the photos out of the folders of years that an album has too. Only files of the same size are read. */
async function dropDoubles(folders: readonly TakeoutFolder[]): Promise<void> {
  const photos = folders.filter(({ sidecars }) => sidecars.size > 0)
  const isYear = ({ names, isAlbum }: TakeoutFolder) => !isAlbum && YEAR_FOLDER.test(names.at(-1) ?? '')
  const years = photos.filter(isYear)
  const inAlbums = photos.filter((folder) => !isYear(folder)).flatMap(({ files }) => [...files.values()])
  const bySize = Map.groupBy(inAlbums, ({ size }) => size)
  const digests = new Map<SourceFile, string>()
  const digestOf = async (file: SourceFile) => {
    const digest = digests.get(file) ?? (await digestFile(file))
    digests.set(file, digest)
    return digest
  }
  for (const { files } of years) {
    for (const [filename, file] of files) {
      for (const other of bySize.get(file.size) ?? []) {
        if ((await digestOf(file)) !== (await digestOf(other))) continue
        files.delete(filename)
        break
      }
    }
  }
}

/** Returns the digest of a file. One that can't be read is like no other, and reported when it is imported. */
async function digestFile(file: SourceFile): Promise<string> {
  const digest = createHash('sha256')
  try {
    for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) digest.update(chunk)
    return digest.digest('hex')
  } catch {
    return file.origin
  }
}

function* pagesOf(folders: Iterable<TakeoutFolder>): Generator<SourcePage> {
  for (const { names, files } of folders) {
    const all = [...files.values()]
    for (let start = 0; start < all.length; start += PAGE) {
      yield { folders: names, files: all.slice(start, start + PAGE) }
    }
  }
}

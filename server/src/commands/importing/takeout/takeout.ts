import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { MAX_DEPTH } from '@alcove/contract/limits'
import { FILE_NAME_EMPTY, findNameProblem } from '@alcove/contract/names'
import type { Operator } from '../../command.ts'
import { Progress } from '../../progress.ts'
import type { Source, SourceFile } from '../source.ts'
import { openFolderPart } from './folder-part.ts'
import { isSmallJson, readSidecar } from './read-sidecar.ts'
import { type IndexedFile, TakeoutIndex } from './takeout-index.ts'
import type { ListedFile, TakeoutPart } from './takeout-part.ts'
import { openTar } from './tar-archive.ts'
import { openZip } from './zip-archive.ts'

/**
 * Makes the parts of a Google Takeout a source: archives, or folders into which they were extracted. Photos get the dates of their
 * sidecars, which aren't imported themselves. A photo that is in an album is left out of the folder of its year.
 */
export async function openTakeout(paths: readonly string[], dataDir: string, operator: Operator): Promise<Source> {
  const index = new TakeoutIndex()
  const parts: TakeoutPart[] = []
  const close = async () => {
    index.close()
    for (const part of parts) await part.close()
  }
  try {
    const progress = new Progress({ what: 'Read', unit: 'files' }, operator)
    for (const [number, path] of paths.entries()) {
      const part = await openPart(path, dataDir)
      parts.push(part)
      const files = part.list(
        (origin, reason) => index.skip(origin, reason),
        (bytes) => progress.pass(bytes),
      )
      for await (const file of files) {
        await addFile(index, file, number)
        progress.add()
      }
    }
    index.setDates()
    await dropDoubles(index, parts, operator)
  } catch (error) {
    await close()
    throw error
  }
  return {
    *pages(onSkip) {
      for (const { origin, reason } of index.skipped()) onSkip(origin, reason)
      for (const page of index.pages()) {
        const files = page.map((file) => sourceFileOf(file, parts[file.part] as TakeoutPart))
        yield { folders: page[0]?.folder.split('/').filter((name) => name !== '') ?? [], files }
      }
    },
    close,
  }
}

async function openPart(path: string, dataDir: string): Promise<TakeoutPart> {
  if (statSync(path).isDirectory()) return openFolderPart(path, dataDir)
  return /\.(tgz|tar\.gz|tar)$/i.test(path) ? openTar(path) : openZip(path)
}

/** Adds a file to the index, without the outer folder `Takeout`. */
async function addFile(index: TakeoutIndex, file: ListedFile, part: number): Promise<void> {
  const names = file.names[0] === 'Takeout' ? file.names.slice(1) : file.names
  const filename = names.at(-1) ?? ''
  // A page for browsing the archive.
  if (names.length === 1 && filename === 'archive_browser.html') return
  const problem =
    names.length > MAX_DEPTH
      ? `folders can be nested at most ${MAX_DEPTH} levels deep`
      : names.map((name) => findNameProblem(name, FILE_NAME_EMPTY)).find((found) => found !== undefined)
  if (problem !== undefined) return index.skip(file.origin, problem)
  const isNew = index.add(names, file, part, await describe(filename, file))
  if (!isNew) index.skip(file.origin, 'another file with this name is in another part')
}

/** A JSON file that can't be read is reported when it is imported. */
async function describe(filename: string, file: ListedFile) {
  if (!isSmallJson(filename, file.size)) return undefined
  const content = await file.read().catch(() => undefined)
  return content && readSidecar(content)
}

/** Takes the photos that an album has too out of the folders of years. Only files of the same size are read. */
async function dropDoubles(index: TakeoutIndex, parts: readonly TakeoutPart[], operator: Operator): Promise<void> {
  const total = index.findDoubles()
  const progress = new Progress({ what: 'Compared', unit: 'photos', ...total }, operator)
  for (const file of index.toCompare()) {
    const part = parts[file.part] as TakeoutPart
    index.setDigest(file.id, await digestFile(file, part, progress))
  }
  index.dropDoubles()
}

/** Returns the digest of a file. One that can't be read is like no other, and reported when it is imported. */
async function digestFile(file: IndexedFile, part: TakeoutPart, progress: Progress): Promise<string> {
  const digest = createHash('sha256')
  try {
    const { place, size, modified_at: modifiedAt } = file
    for await (const chunk of (await part.open({ place, size, modifiedAt })) as AsyncIterable<Buffer>) {
      digest.update(chunk)
      progress.pass(chunk.length)
    }
    return digest.digest('hex')
  } catch {
    return `unreadable ${file.id}`
  } finally {
    progress.add()
  }
}

function sourceFileOf(file: IndexedFile, part: TakeoutPart): SourceFile {
  const { place, filename, origin, size, taken_at: takenAt } = file
  const modifiedAt = takenAt ?? file.modified_at
  const placed = { place, size, modifiedAt }
  return {
    filename,
    origin,
    size,
    modifiedAt,
    open: () => part.open(placed),
    async store(...given) {
      const stored = await part.store(placed, ...given)
      return takenAt === null ? stored : { ...stored, modifiedAt }
    },
  }
}

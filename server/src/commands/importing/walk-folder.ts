import { isUtf8 } from 'node:buffer'
import { constants, createReadStream, type Dir, lstatSync, opendirSync, realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { MAX_DEPTH } from '@alcove/contract/limits'
import { FILE_NAME_EMPTY, findNameProblem, normalizeName } from '@alcove/contract/names'
import { describeReadError, modifiedAtOf, storeDiskFile } from './disk-file.ts'
import type { OnSkip, Source, SourceFile, SourcePage } from './source.ts'

/** How many files are passed on together. */
const PAGE = 500

/** Makes a folder of this machine a source. Throws if it can't be read. `dataDir` is left out. */
export function openFolder(folder: string, dataDir: string): Source {
  const root = realpathSync(folder)
  opendirSync(root).closeSync()
  return { pages: (onSkip) => new FolderWalk(root, realpathSync(dataDir), onSkip).pages() }
}

/** A folder that is being read: its names in the drive and its path here. */
interface Place {
  folders: readonly string[]
  path: string
}

/** Lists a tree, a page of files at a time. Nothing outside the tree is listed, because symbolic links are never followed. */
class FolderWalk {
  readonly #root: string
  readonly #dataDir: string
  readonly #onSkip: OnSkip

  constructor(root: string, dataDir: string, onSkip: OnSkip) {
    this.#root = root
    this.#dataDir = dataDir
    this.#onSkip = onSkip
  }

  *pages(): Generator<SourcePage> {
    // The last one is read next. Folders are added in reverse, so the tree is read in the order of the disk.
    const waiting: Place[] = [{ folders: [], path: this.#root }]
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      const below: Place[] = []
      yield* this.#pagesOf(place, below)
      waiting.push(...below.reverse())
    }
  }

  *#pagesOf({ folders, path }: Place, below: Place[]): Generator<SourcePage> {
    const directory = this.#attempt(path, () => opendirSync(path, { encoding: 'buffer' as BufferEncoding }))
    if (!directory) return
    let files: SourceFile[] = []
    let isEmpty = true
    try {
      for (;;) {
        const name = this.#readName(directory, path)
        if (name === undefined) break
        const found = this.#look(path, name)
        if (!found) continue
        if (found.stats) {
          files.push(fileOf(found.path, this.#originOf(found.path), found.name, found.stats))
          if (files.length < PAGE) continue
          isEmpty = false
          yield { folders, files }
          files = []
        } else if (folders.length + 1 >= MAX_DEPTH) {
          this.#skip(found.path, `folders can be nested at most ${MAX_DEPTH} levels deep`)
        } else {
          below.push({ folders: [...folders, found.name], path: found.path })
        }
      }
    } finally {
      directory.closeSync()
    }
    // A page without files creates an empty folder.
    if (files.length > 0 || isEmpty) yield { folders, files }
  }

  /** Returns undefined at the end, and after a failure. */
  #readName(directory: Dir, path: string): Buffer | undefined {
    return this.#attempt(path, () => directory.readSync()?.name as unknown as Buffer | undefined)
  }

  /** Returns a file with its metadata, or a folder. Everything else is skipped. */
  #look(parent: string, bytes: Buffer): { path: string; name: string; stats?: Stats } | undefined {
    const given = bytes.toString()
    const path = join(parent, given)
    if (!isUtf8(bytes)) return this.#skip(path, 'its name is not UTF-8')
    const name = normalizeName(given)
    const problem = findNameProblem(name, FILE_NAME_EMPTY)
    if (problem !== undefined) return this.#skip(path, lowerFirst(problem))
    const stats = this.#attempt(path, () => lstatSync(path))
    if (!stats) return undefined
    if (stats.isFile()) return { path, name, stats }
    if (stats.isSymbolicLink()) return this.#skip(path, 'symbolic links are not imported')
    if (!stats.isDirectory()) return this.#skip(path, 'it is a special file')
    if (path === this.#dataDir) return this.#skip(path, "it is Alcove's data folder")
    return { path, name }
  }

  #attempt<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      return this.#skip(path, describeReadError(error))
    }
  }

  #skip(path: string, reason: string): undefined {
    this.#onSkip(this.#originOf(path), reason)
  }

  /** Returns a path as the report shows it. */
  #originOf(path: string): string {
    return path.slice(this.#root === '/' ? 1 : this.#root.length + 1) || path
  }
}

function fileOf(path: string, origin: string, filename: string, stats: Stats): SourceFile {
  return {
    filename,
    origin,
    size: stats.size,
    modifiedAt: modifiedAtOf(stats),
    open: async () => createReadStream(path, { flags: constants.O_RDONLY | constants.O_NOFOLLOW } as never),
    store: (blobs, blobKey, onBytes) => storeDiskFile({ path, blobs, blobKey, onBytes }),
  }
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`
}

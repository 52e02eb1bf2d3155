import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { MAX_FILE_DATE, MAX_FILE_SIZE } from '@alcove/contract/limits'
import { Entry, openPromise, type ZipFile } from 'yauzl'
import { CommandError } from '../../command.ts'
import type { OnSkip } from '../source.ts'
import { storeArchived } from './store-archived.ts'
import { EXPANDS_TOO_FAR, expandsTooFar, type ListedFile, type PlacedFile, type TakeoutPart } from './takeout-part.ts'

/** The kind of a file in the attributes of Unix: a symbolic link. */
const [KIND, LINK] = [0o170000, 0o120000]

/** The place of a file: the offset of its header, its size in the archive, the method and the checksum. */
type Place = [offset: number, compressed: number, method: number, checksum: number]

/**
 * Opens a ZIP archive. The library refuses names that lead out of the archive, and bytes that are more than the archive says, so a
 * small archive can't fill the disk unseen. Files of an archive that is made to fill disks share bytes, or expand very far.
 */
export async function openZip(path: string): Promise<TakeoutPart> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true })
  const { size } = await stat(path)
  const open = (file: PlacedFile) => zip.openReadStreamPromise(entryAt(file))
  return {
    list: (onSkip) => list(zip, { path, size }, onSkip),
    open,
    store: (file, ...given) => {
      const checksum = (JSON.parse(file.place) as Place)[3]
      return storeArchived({ ...file, checksum, open: () => open(file) }, ...given)
    },
    close: async () => zip.close(),
  }
}

async function* list(
  zip: ZipFile,
  archive: { path: string; size: number },
  onSkip: OnSkip,
): AsyncGenerator<ListedFile> {
  let [expanded, compressed] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    const problem = problemOf(entry)
    if (problem !== undefined) {
      onSkip(entry.fileName, problem)
      continue
    }
    expanded += entry.uncompressedSize
    compressed += entry.compressedSize
    if (expandsTooFar(archive.size, expanded)) throw new CommandError(`${archive.path} is refused: ${EXPANDS_TOO_FAR}.`)
    if (compressed > archive.size) throw new CommandError(`${archive.path} is refused: its files share bytes.`)
    yield fileOf(zip, entry)
  }
}

function problemOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'it is encrypted'
  if (!entry.canDecodeFileData()) return 'it is compressed by an unknown method'
  if (((entry.externalFileAttributes >>> 16) & KIND) === LINK) return 'symbolic links are not imported'
  return entry.uncompressedSize > MAX_FILE_SIZE ? 'it is too large' : undefined
}

function fileOf(zip: ZipFile, entry: Entry): ListedFile {
  const { relativeOffsetOfLocalHeader, compressedSize, compressionMethod, crc32 } = entry
  const place: Place = [relativeOffsetOfLocalHeader, compressedSize, compressionMethod, crc32]
  return {
    names: entry.fileName.normalize('NFC').split('/'),
    origin: entry.fileName,
    size: entry.uncompressedSize,
    modifiedAt: Math.min(Math.max(entry.getLastModDate().getTime() || 0, 0), MAX_FILE_DATE),
    place: JSON.stringify(place),
    read: async () => buffer((await zip.openReadStreamPromise(entry)) as Readable),
  }
}

/** Returns an entry with what the library needs to open it. */
function entryAt({ place, size }: PlacedFile): Entry {
  const [relativeOffsetOfLocalHeader, compressedSize, compressionMethod] = JSON.parse(place) as Place
  return Object.assign(new Entry(), {
    relativeOffsetOfLocalHeader,
    compressedSize,
    compressionMethod,
    uncompressedSize: size,
    generalPurposeBitFlag: 0,
  })
}

/** A file of a folder that is uploaded, with its path from that folder on: `Trip/day 1/a.jpg`. */
interface FolderFile {
  readonly source: File
  readonly relativePath: string
}

export interface FolderOfFiles {
  readonly name: string
  readonly files: FolderFile[]
  /** The paths of the folders that lie in it, or are it, without any file below them. */
  readonly emptyFolders: string[]
}

/** What was dropped or chosen: single files, and folders with all that is in them. */
export interface Chosen {
  readonly files: File[]
  readonly folders: FolderOfFiles[]
}

/**
 * What systems leave in folders to remember how they looked. It says nothing to anyone elsewhere, so it is left out of
 * folders, as others do; chosen by itself, such a file is uploaded like any other.
 */
const SYSTEM_FILES = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

function isSystemFile(name: string): boolean {
  return SYSTEM_FILES.has(name.toLowerCase())
}

/** The files of an `<input webkitdirectory>`, by the folder they were chosen with. Of empty folders it knows nothing. */
export function groupByFolder(files: Iterable<File>): FolderOfFiles[] {
  const folders = new Map<string, FolderFile[]>()
  for (const source of files) {
    const relativePath = source.webkitRelativePath || source.name
    const [name = ''] = relativePath.split('/')
    const group = folders.get(name) ?? []
    folders.set(name, group)
    if (!isSystemFile(source.name)) group.push({ source, relativePath })
  }
  return Array.from(folders, ([name, group]) => ({
    name,
    files: group,
    emptyFolders: group.length === 0 ? [name] : [],
  }))
}

/**
 * Reads what was dropped or pasted. Must be called during that event itself, for the browser empties the list
 * afterwards. A folder that cannot be read rejects.
 */
export function readDropped(items: Iterable<DataTransferItem>): Promise<Chosen> {
  const files: File[] = []
  const directories: FileSystemDirectoryEntry[] = []
  for (const item of items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry?.()
    const file = entry?.isDirectory ? null : item.getAsFile()
    if (entry?.isDirectory) directories.push(entry as FileSystemDirectoryEntry)
    else if (file) files.push(file)
  }
  return Promise.all(directories.map(readFolder)).then((folders) => ({ files, folders }))
}

async function readFolder(directory: FileSystemDirectoryEntry): Promise<FolderOfFiles> {
  const files: FolderFile[] = []
  const emptyFolders: string[] = []
  const left = [{ directory, path: directory.name }]
  for (let next = left.shift(); next; next = left.shift()) {
    const { path } = next
    const entries = (await readEntries(next.directory)).filter(
      (entry) => entry.isDirectory || !isSystemFile(entry.name),
    )
    if (entries.length === 0) emptyFolders.push(path)
    for (const entry of entries) {
      if (entry.isDirectory) left.push({ directory: entry as FileSystemDirectoryEntry, path: `${path}/${entry.name}` })
    }
    // All at once: each file is a round trip within the browser.
    const found = entries.filter((entry) => !entry.isDirectory) as FileSystemFileEntry[]
    const sources = await Promise.all(found.map(readFile))
    for (const source of sources) files.push({ source, relativePath: `${path}/${source.name}` })
  }
  return { name: directory.name, files, emptyFolders }
}

/** All entries of a directory: the browser gives them in portions, and an empty one when there are no more. */
async function readEntries(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** What browsers call a picture that was copied as such, as a screenshot is, and not as a file. */
const NAMELESS = /^image\.(png|jpe?g|gif|webp|bmp)$/i

/** Names a pasted picture that has no name after the time it came: `Pasted image 2026-11-22 10.31.png`. */
export function nameOfPasted(name: string, now: Date): string {
  const [, extension] = NAMELESS.exec(name) ?? []
  if (extension === undefined) return name
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `Pasted image ${day} ${two(now.getHours())}.${two(now.getMinutes())}.${extension}`
}

/** The same file under the name that it gets when it is pasted. */
export function renamePasted(file: File, now = new Date()): File {
  const name = nameOfPasted(file.name, now)
  return name === file.name ? file : new File([file], name, { type: file.type, lastModified: file.lastModified })
}

/** A file in a chosen folder, with its path that starts with the folder: `Trip/day 1/a.jpg`. */
interface FolderFile {
  readonly source: File
  readonly relativePath: string
}

export interface FolderOfFiles {
  readonly name: string
  readonly files: FolderFile[]
  /** The paths of folders without files, which may include the folder itself. */
  readonly emptyFolders: string[]
}

/** The files that were dropped or chosen, and the folders with all files in them. */
export interface Chosen {
  readonly files: File[]
  readonly folders: FolderOfFiles[]
}

/**
 * Files in which operating systems store the view settings of a folder. They are useless elsewhere, so they are skipped
 * in folders. A system file that is chosen by itself is uploaded.
 */
const SYSTEM_FILES = new Set(['.ds_store', 'thumbs.db', 'desktop.ini'])

function isSystemFile(name: string): boolean {
  return SYSTEM_FILES.has(name.toLowerCase())
}

/** Groups the files of an `<input webkitdirectory>` by the chosen folder. The input doesn't list empty folders. */
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
 * Reads dropped or pasted files and folders. Must be called during the event, because the browser empties the list
 * afterwards. Rejects if a folder cannot be read.
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
    // The files are read in parallel, because each one costs a round trip within the browser.
    const found = entries.filter((entry) => !entry.isDirectory) as FileSystemFileEntry[]
    const sources = await Promise.all(found.map(readFile))
    for (const source of sources) files.push({ source, relativePath: `${path}/${source.name}` })
  }
  return { name: directory.name, files, emptyFolders }
}

/** Reads all entries of a directory. The browser returns them in batches, the last of which is empty. */
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

/** The names that browsers give to pictures that were copied as image data, such as screenshots. */
const NAMELESS = /^image\.(png|jpe?g|gif|webp|bmp)$/i

/** Returns the name of a pasted file; a picture without one gets `Pasted image 2026-11-22 10.31.png`. */
export function nameOfPasted(name: string, now: Date): string {
  const [, extension] = NAMELESS.exec(name) ?? []
  if (extension === undefined) return name
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `Pasted image ${day} ${two(now.getHours())}.${two(now.getMinutes())}.${extension}`
}

/** Returns the file under the name that it gets when it is pasted. */
export function renamePasted(file: File, now = new Date()): File {
  const name = nameOfPasted(file.name, now)
  return name === file.name ? file : new File([file], name, { type: file.type, lastModified: file.lastModified })
}

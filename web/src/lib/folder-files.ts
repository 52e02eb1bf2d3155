/** A file of a folder that is uploaded, with its path from that folder on: `Trip/day 1/a.jpg`. */
export interface FolderFile {
  readonly source: File
  readonly relativePath: string
}

export interface FolderOfFiles {
  readonly name: string
  readonly files: FolderFile[]
}

/** What was dropped or chosen: single files, and folders with all that is in them. */
export interface Chosen {
  readonly files: File[]
  readonly folders: FolderOfFiles[]
}

/** The files of an `<input webkitdirectory>`, by the folder they were chosen with. */
export function groupByFolder(files: Iterable<File>): FolderOfFiles[] {
  const folders = new Map<string, FolderFile[]>()
  for (const source of files) {
    const relativePath = source.webkitRelativePath || source.name
    const [name = ''] = relativePath.split('/')
    const group = folders.get(name) ?? []
    folders.set(name, group)
    group.push({ source, relativePath })
  }
  return Array.from(folders, ([name, group]) => ({ name, files: group }))
}

/**
 * Reads what was dropped. Must be called during the drop event itself, for the browser empties the list afterwards.
 * A folder that cannot be read rejects.
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
  const left = [{ directory, path: directory.name }]
  for (let next = left.shift(); next; next = left.shift()) {
    for (const entry of await readEntries(next.directory)) {
      const path = `${next.path}/${entry.name}`
      if (entry.isDirectory) left.push({ directory: entry as FileSystemDirectoryEntry, path })
      else files.push({ source: await readFile(entry as FileSystemFileEntry), relativePath: path })
    }
  }
  return { name: directory.name, files }
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

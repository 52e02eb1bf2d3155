import type { Content } from '../random.ts'

/** What a client knows about an item. Names are unique, so they serve as ids. */
export interface Entry {
  readonly name: string
  /** The name of its folder; undefined for the root folder. */
  readonly folder: string | undefined
  /** The name of the item that it was trashed with, which may be itself; undefined if it is not in the trash. */
  readonly trash: string | undefined
  /** Only files have one. */
  readonly content: Content | undefined
  /** What a file contained before, newest first. */
  readonly versions: readonly Version[]
  /** The place of its content in the history, if that is a restored version. */
  readonly restoredFrom?: number | undefined
}

/** Earlier content of a file, with its place in the history: a number that is larger for newer versions. */
export type Version = Content & { readonly place: number }

/** The expected items of a client. Immutable: each change creates a new one. */
export type Tree = ReadonlyMap<string, Entry>

export function withEntries(tree: Tree, ...entries: readonly Entry[]): Tree {
  return new Map([...tree, ...entries.map((entry) => [entry.name, entry] as const)])
}

/** Trashes items with everything visible below them. Items that were trashed before stay as they are. */
export function afterTrashing(tree: Tree, names: readonly string[]): Tree {
  const changed = new Map(tree)
  const hide = (name: string, trash: string): void => {
    changed.set(name, { ...(changed.get(name) as Entry), trash })
    for (const entry of tree.values()) if (entry.folder === name && entry.trash === undefined) hide(entry.name, trash)
  }
  for (const name of names) hide(name, name)
  return changed
}

/** Restores items with everything trashed with them: to their folder, or to the root folder if that isn't visible. */
export function afterRestoring(tree: Tree, names: readonly string[]): Tree {
  const changed = new Map(tree)
  for (const entry of tree.values()) {
    if (entry.trash !== undefined && names.includes(entry.trash))
      changed.set(entry.name, { ...entry, trash: undefined })
  }
  for (const name of names) {
    const entry = changed.get(name) as Entry
    const isParentSeen = entry.folder === undefined || changed.get(entry.folder)?.trash === undefined
    if (!isParentSeen) changed.set(name, { ...entry, folder: undefined })
  }
  return changed
}

/** Deletes items from the trash. Items that were trashed before their folder stay, and move to the root folder. */
export function afterDeleting(tree: Tree, names: readonly string[]): Tree {
  const kept = [...tree.values()].filter(({ trash }) => trash === undefined || !names.includes(trash))
  const there = new Set(kept.map(({ name }) => name))
  return new Map(
    kept.map((entry) => [
      entry.name,
      entry.folder === undefined || there.has(entry.folder) ? entry : { ...entry, folder: undefined },
    ]),
  )
}

export function listTrashed(tree: Tree): string[] {
  return [...tree.values()].filter(({ name, trash }) => trash === name).map(({ name }) => name)
}

/** Returns the visible files or folders. */
export function listSeen(tree: Tree, kind: 'file' | 'folder'): Entry[] {
  return [...tree.values()].filter(({ trash, content }) => trash === undefined && (kind === 'file') === !!content)
}

/** Replaces the content of a file, which becomes its newest version. */
export function afterReplacing(tree: Tree, name: string, content: Content): Tree {
  const entry = tree.get(name) as Entry
  return withEntries(tree, { ...entry, content, versions: withCurrent(entry), restoredFrom: undefined })
}

/** Returns the versions of a file together with its content, as the newest one or at a place that it had before. */
function withCurrent({ content, versions, restoredFrom = 0 }: Entry, place?: number): Version[] {
  const newest = Math.max(restoredFrom, ...versions.map((version) => version.place)) + 1
  const current = { ...(content as Content), place: place ?? newest }
  return [...versions, current].sort((a, b) => b.place - a.place)
}

/** Exchanges the content of a file with that of a version. A version that was restored before returns to its place. */
export function afterRestoringVersion(tree: Tree, name: string, index: number): Tree {
  const entry = tree.get(name) as Entry
  const restored = entry.versions[index] as Version
  const versions = withCurrent(entry, entry.restoredFrom).filter(({ place }) => place !== restored.place)
  return withEntries(tree, { ...entry, content: restored, versions, restoredFrom: restored.place })
}

export function afterDeletingVersion(tree: Tree, name: string, index: number): Tree {
  const entry = tree.get(name) as Entry
  return withEntries(tree, { ...entry, versions: entry.versions.filter((_, at) => at !== index) })
}

export function afterDeletingAllVersions(tree: Tree): Tree {
  return new Map([...tree].map(([name, entry]) => [name, { ...entry, versions: [] }]))
}

/** Returns how many bytes all files take with their versions. */
export function sizeOf(tree: Tree): number {
  const contents = [...tree.values()].flatMap(({ content, versions }) => (content ? [content, ...versions] : []))
  return contents.reduce((sum, { size }) => sum + size, 0)
}

/** Returns what the lists and the trash should show: a line per item, sorted. */
export function linesOf(tree: Tree): string[] {
  const lines = [...tree.values()].flatMap(({ name, folder, trash, content, versions }) => {
    if (trash === undefined) return [lineOf(folder, name, content?.size, versions)]
    return trash === name ? [lineOfTrashed(name, content?.size)] : []
  })
  return lines.sort()
}

/** Describes a visible item. Its versions in the trash can't be listed, so only the used bytes tell whether they are there. */
export function lineOf(
  folder: string | undefined,
  name: string,
  size: number | undefined,
  versions: readonly { size: number }[] = [],
): string {
  const sizes = [size ?? 'folder', ...versions.map((version) => version.size)].join('<')
  return `${folder === undefined ? '' : `${folder}/`}${name} ${sizes}`
}

export function lineOfTrashed(name: string, size: number | undefined): string {
  return `trash: ${name} ${size ?? 'folder'}`
}

import type { Content } from '../content.ts'

/** What a client knows of an item. Names are unique, so that a name is all it takes to tell one from another. */
export interface Entry {
  readonly name: string
  /** The name of the folder it lies in; undefined: the root. */
  readonly folder: string | undefined
  /** The name of what it was trashed with: its own, where it was trashed by itself; undefined: it can be seen. */
  readonly trash: string | undefined
  /** Of a file. */
  readonly content: Content | undefined
}

/** All that a client has, as it should be. Never changed: each change makes another one. */
export type Tree = ReadonlyMap<string, Entry>

export function withEntries(tree: Tree, ...entries: readonly Entry[]): Tree {
  return new Map([...tree, ...entries.map((entry) => [entry.name, entry] as const)])
}

/** Each item goes with all that can be seen below it; what was trashed by itself before stays as it is. */
export function afterTrashing(tree: Tree, names: readonly string[]): Tree {
  const changed = new Map(tree)
  const hide = (name: string, trash: string): void => {
    changed.set(name, { ...(changed.get(name) as Entry), trash })
    for (const entry of tree.values()) if (entry.folder === name && entry.trash === undefined) hide(entry.name, trash)
  }
  for (const name of names) hide(name, name)
  return changed
}

/** Each item comes back with all that went with it: where it was, or at the root if that cannot be seen. */
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

/** What was trashed by itself before its folder was survives, to come back at the root. */
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

/** What can be seen, files or folders. */
export function listSeen(tree: Tree, kind: 'file' | 'folder'): Entry[] {
  return [...tree.values()].filter(({ trash, content }) => trash === undefined && (kind === 'file') === !!content)
}

export function sizeOf(tree: Tree): number {
  return [...tree.values()].reduce((sum, { content }) => sum + (content?.size ?? 0), 0)
}

/** What lists and trash should show, a line for each item, in an order of their own. */
export function linesOf(tree: Tree): string[] {
  const lines = [...tree.values()].flatMap(({ name, folder, trash, content }) => {
    if (trash === undefined) return [lineOf(folder, name, content?.size)]
    return trash === name ? [lineOfTrashed(name, content?.size)] : []
  })
  return lines.sort()
}

export function lineOf(folder: string | undefined, name: string, size: number | undefined): string {
  return `${folder === undefined ? '' : `${folder}/`}${name} ${size ?? 'folder'}`
}

export function lineOfTrashed(name: string, size: number | undefined): string {
  return `trash: ${name} ${size ?? 'folder'}`
}

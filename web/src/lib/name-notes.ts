import { plural } from './format.ts'

/** Notes on names that Alcove stores and other systems can't. They warn; nothing is refused. */

const BOTH = "Windows and macOS can't store both names in one folder."

/** Says that a name differs from that of a sibling only in case. */
export function noteOnTwin(twin: string): string {
  return `"${twin}" is already here. ${BOTH}`
}

/** Says that a name begins or ends with a blank. Returns undefined if it doesn't. */
export function noteOnBlanks(name: string, subject = 'This name'): string | undefined {
  // Windows drops ordinary blanks at the end of a name.
  if (name.endsWith(' ')) return `${subject} ends with a blank. Windows can't store it.`
  if (name.trimEnd() !== name) return `${subject} ends with a blank, which some programs remove.`
  if (name.trimStart() !== name) return `${subject} begins with a blank, which some programs remove.`
  return undefined
}

/** The names of uploaded files, and of folders in their paths, that other systems can't store. */
export interface OddNames {
  /** The number of names that differ from a sibling's only in case, and the first of them. */
  readonly twins: number
  readonly firstTwin?: { readonly name: string; readonly twin: string }
  /** The number of names with a blank at an end, and the first of them. */
  readonly blanks: number
  readonly firstBlank?: string
}

/** Says which names of an upload are odd: of one name what is odd, of many how many there are. */
export function noteOnUpload({ twins, firstTwin, blanks, firstBlank }: OddNames, isFolder: boolean): string[] {
  const notes: (string | undefined)[] = []
  if (twins > 1)
    notes.push(`${plural(twins, 'name')} differ from others only in case. Windows and macOS can't store both.`)
  else if (firstTwin && isFolder) notes.push(`"${firstTwin.name}" is beside "${firstTwin.twin}". ${BOTH}`)
  else if (firstTwin) notes.push(noteOnTwin(firstTwin.twin))
  if (blanks > 1) notes.push(`${plural(blanks, 'name')} begin or end with a blank. Windows can't store all of them.`)
  else if (firstBlank) notes.push(noteOnBlanks(firstBlank, isFolder ? `The name "${firstBlank}"` : undefined))
  return notes.filter((note) => note !== undefined)
}

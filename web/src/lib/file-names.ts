/** A file's name as the Rename dialog shows it: `Itinerary.pdf` is `Itinerary` and `pdf`. */
export function splitExtension(filename: string): { base: string; extension: string } {
  const dot = filename.lastIndexOf('.')
  if (dot <= 0 || dot === filename.length - 1) return { base: filename, extension: '' }
  return { base: filename.slice(0, dot), extension: filename.slice(dot + 1) }
}

/** The name from its two fields: the base, a dot, then the extension; without an extension there is no dot. */
export function joinExtension(base: string, extension: string): string {
  const end = extension.trim().replace(/^\.+/, '')
  return end === '' ? base.trim() : `${base.trim()}.${end}`
}

const LONG_NAME = 12
const LONGEST_TAIL = 16

/**
 * Returns the end of a name, with its extension, that stays when the rest is cut to fit; empty for short names. Only
 * Latin letters are parted, since other scripts join theirs.
 */
export function endOfName(name: string): string {
  if (name.length <= LONG_NAME) return ''
  const { extension } = splitExtension(name)
  const end = extension === '' || extension.length > LONGEST_TAIL - 5 ? '' : `.${extension}`
  const [kept = ''] = /[ -~]{0,4}$/.exec(name.slice(0, name.length - end.length)) ?? []
  return kept + end
}

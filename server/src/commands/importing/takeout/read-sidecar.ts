import { MAX_FILE_DATE } from '@alcove/contract/limits'

/** A sidecar is a few kilobytes. */
const MAX_SIDECAR = 1024 * 1024

/** What a JSON file of a Takeout says: when a photo was taken, or that its folder is an album. */
export type Described = { readonly takenAt: number } | { readonly isAlbum: true }

/** Returns whether a file may be a sidecar. */
export function isSmallJson(filename: string, size: number): boolean {
  return filename.toLowerCase().endsWith('.json') && size <= MAX_SIDECAR
}

/** Returns what a JSON file says. Undefined if it is something else, or damaged. */
export function readSidecar(content: Buffer): Described | undefined {
  const json = parse(content)
  if (!json) return undefined
  const taken = json.photoTakenTime as { timestamp?: unknown } | undefined | null
  if (taken) return readDate(taken.timestamp)
  // Older ones have the description one level deeper.
  const album = (json.albumData ?? json) as Record<string, unknown>
  const isAlbum = typeof album.title === 'string' && ALBUM_KEYS.some((key) => key in album) && !('url' in album)
  return isAlbum ? { isAlbum } : undefined
}

/** Every album has at least one of these beside its title. */
const ALBUM_KEYS = ['date', 'access', 'description']

/** The date is in seconds, usually as text. Photos from before 1970 get the first date that Alcove can store. */
function readDate(timestamp: unknown): Described | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(String(timestamp))) return undefined
  const date = Math.trunc(Number(timestamp) * 1000)
  return { takenAt: Math.min(Math.max(date, 0), MAX_FILE_DATE) }
}

function parse(content: Buffer): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(content.toString('utf8'))
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

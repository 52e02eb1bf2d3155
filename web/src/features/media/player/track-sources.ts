import { getStreamUrl, type MediaFile } from '@alcove/contract/media'
import { send } from '../../../api/api.ts'
import { type StreamSource, sourcesOf } from '../media-file.ts'

interface Sources {
  readonly list: readonly StreamSource[]
  /** When the addresses were fetched, or one of them last failed. */
  readonly since: number
}

type Track = Pick<MediaFile, 'id'>

/** If an address fails sooner than this, the track is the problem and not the address, in milliseconds. */
const YOUNG = 60_000

const known = new Map<string, Sources>()

/** Returns the sources of a track, the best first. Fetches them once, until they are dropped or forgotten. */
export async function findSources({ id }: Track): Promise<readonly StreamSource[]> {
  const found = known.get(id)
  if (found) return found.list
  const list = sourcesOf(await send(getStreamUrl, { id }))
  known.set(id, { list, since: Date.now() })
  return list
}

/**
 * Drops the source of a track that failed. Returns false if no other is left. Addresses expire after some hours, so an
 * older one is refetched before the source is given up.
 */
export function dropSource({ id }: Track): boolean {
  const found = known.get(id)
  if (!found || Date.now() - found.since >= YOUNG) {
    known.delete(id)
    return true
  }
  const list = found.list.slice(1)
  known.set(id, { list, since: Date.now() })
  return list.length > 0
}

/** Forgets the sources of a track, or of all, so that they are refetched. */
export function forgetSources(track?: Track): void {
  if (track) known.delete(track.id)
  else known.clear()
}

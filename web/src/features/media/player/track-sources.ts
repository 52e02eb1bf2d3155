import { getStreamUrl, type MediaFile } from '@alcove/contract/media'
import { send } from '../../../api/api.ts'
import { type StreamSource, sourcesOf } from '../stream-sources.ts'

interface Sources {
  readonly list: readonly StreamSource[]
  /** When its addresses were fetched, or one of them last failed. */
  readonly since: number
}

type Track = Pick<MediaFile, 'id'>

/** An address that fails sooner than this, in milliseconds, was good: the track is the matter. */
const YOUNG = 60_000

const known = new Map<string, Sources>()

/** From where a track can be played, the best first; asked for once as long as that is of use. */
export async function findSources({ id }: Track): Promise<readonly StreamSource[]> {
  const found = known.get(id)
  if (found) return found.list
  const list = sourcesOf(await send(getStreamUrl, { id }))
  known.set(id, { list, since: Date.now() })
  return list
}

/**
 * Takes the source that failed from a track; false where no other is left. An address lives for some hours: one that was
 * fetched before is asked for anew, before what it leads to is given up.
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

/** The next time it is asked for anew: of one track, or of all. */
export function forgetSources(track?: Track): void {
  if (track) known.delete(track.id)
  else known.clear()
}

import type { IncomingForm } from '../../../platform/http/incoming-form.ts'

/** The requests that are writing each chunk of each upload. */
const inFlight = new Map<string, Map<number, Set<Arriving>>>()

type Arriving = Pick<IncomingForm, 'hurry'>

/**
 * Marks a chunk as in flight while `work` claims, writes and records it. The same chunk may be sent twice and recorded
 * by one request while the other still writes. The upload is not complete until both are done, or bytes would change in
 * a finished file. The idle timeout of both is shortened, because one may be left over from a connection that its
 * client has abandoned. Kept in this process, like the file being written. Several servers don't share it: with S3, an
 * upload is completed from named parts, which later writes don't change.
 */
export async function whileInFlight<T>(
  uploadId: string,
  index: number,
  arriving: Arriving,
  work: () => Promise<T>,
): Promise<T> {
  const chunks = inFlight.get(uploadId) ?? new Map<number, Set<Arriving>>()
  const same = chunks.get(index) ?? new Set()
  inFlight.set(uploadId, chunks)
  chunks.set(index, same)
  same.add(arriving)
  if (same.size > 1) for (const each of same) each.hurry()
  try {
    return await work()
  } finally {
    same.delete(arriving)
    if (same.size === 0) chunks.delete(index)
    if (chunks.size === 0) inFlight.delete(uploadId)
  }
}

/** Returns whether a chunk of an upload is being written. */
export function isInFlight(uploadId: string, index: number): boolean {
  return inFlight.get(uploadId)?.has(index) ?? false
}

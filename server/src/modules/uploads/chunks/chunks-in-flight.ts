import type { IncomingForm } from '../../../platform/http/incoming-form.ts'

/** Of each upload, the requests that are just writing each of its chunks. */
const inFlight = new Map<string, Map<number, Set<Arriving>>>()

type Arriving = Pick<IncomingForm, 'hurry'>

/**
 * Marks a chunk as being written while `work` claims, writes and records it. The same chunk may be on its way twice, and
 * be recorded by the one while the other still writes: until both are done the upload is not whole, or bytes would still
 * change in a file that is complete. Both are hurried: one may be left of a connection that its client has given up, such
 * as one by a network that the device is no longer in, and which one is not known. Kept in this process, as the file that is written to
 * is. Of several servers none needs it: the store that they share names the parts that it joins, and what comes later
 * changes none of them.
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

/** Whether a chunk of an upload is just being written. */
export function isInFlight(uploadId: string, index: number): boolean {
  return inFlight.get(uploadId)?.has(index) ?? false
}

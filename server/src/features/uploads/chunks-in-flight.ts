/** Of each upload, how many requests are just writing each of its chunks. */
const inFlight = new Map<string, Map<number, number>>()

/**
 * Marks a chunk as being written while `work` claims, writes and records it. The same chunk may be on its way twice, and
 * be recorded by the one while the other still writes: until both are done the upload is not whole, or bytes would still
 * change in a file that is complete. Kept in this process, as the file that is written to is. Of several servers none needs
 * it: the store that they share names the parts that it joins, and what comes later changes none of them.
 */
export async function whileInFlight<T>(uploadId: string, index: number, work: () => Promise<T>): Promise<T> {
  const chunks = inFlight.get(uploadId) ?? new Map<number, number>()
  inFlight.set(uploadId, chunks)
  chunks.set(index, (chunks.get(index) ?? 0) + 1)
  try {
    return await work()
  } finally {
    const others = (chunks.get(index) ?? 1) - 1
    if (others > 0) chunks.set(index, others)
    else chunks.delete(index)
    if (chunks.size === 0) inFlight.delete(uploadId)
  }
}

/** Whether a chunk of an upload is just being written. */
export function isInFlight(uploadId: string, index: number): boolean {
  return inFlight.get(uploadId)?.has(index) ?? false
}

import { totalmem } from 'node:os'

/** Bytes of memory that this machine has, or that its control group (a container, a unit of systemd) allows. */
export function availableMemory(): number {
  // Without a limit Node says 0, or more than there is.
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

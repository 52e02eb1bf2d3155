import { formatSize } from '../lib/format.ts'
import { type QueueAccess, setState, type Transfer, transfersIn } from './transfer.ts'
import type { UploadTransport } from './transport.ts'

/**
 * Creates the function that checks the free space before the first byte of chosen files is sent. It queues the files
 * that fit, in order, and fails the others. The server makes the final decision. If the free space cannot be read, all
 * uploads start.
 */
export function createAdmission({ entries, changed, enqueue, fail }: QueueAccess, transport: UploadTransport) {
  // Batches are checked one after the other, so that each one counts the files before it.
  let last = Promise.resolve()

  async function decide(transfers: readonly Transfer[]): Promise<void> {
    for (const transfer of transfers) {
      const { state } = transfer
      // Files that are checked again because the server has refused one of them must not count twice.
      if (state.status === 'waiting') setState(transfer, { ...state, isAdmitted: false })
    }
    const needed = transfers.reduce((total, { plan, isBegun }) => total + (isBegun ? 0 : plan.size), 0)
    const free = needed > 0 ? await transport.readFreeBytes().catch(() => undefined) : undefined
    let left = free === undefined ? Number.POSITIVE_INFINITY : free - countPromised()
    for (const transfer of transfers) {
      const { state, isBegun, plan } = transfer
      if (state.status !== 'waiting') continue
      const size = isBegun ? 0 : plan.size
      if (size === 0 || size <= left) {
        left -= size
        enqueue(transfer, state.source)
      } else {
        fail(transfer, state.source, describeLack(transfer, size - Math.max(left, 0)), true)
      }
    }
    changed()
  }

  /** Counts the bytes of admitted uploads that the server does not know yet. */
  function countPromised(): number {
    let bytes = 0
    for (const entry of entries.values()) {
      for (const { state, isBegun, plan } of transfersIn(entry, 'waiting')) {
        if (state.isAdmitted && !isBegun) bytes += plan.size
      }
    }
    return bytes
  }

  return (transfers: readonly Transfer[]): Promise<void> => {
    last = last.then(() => decide(transfers))
    return last
  }
}

function describeLack({ name, entry }: Transfer, missing: number): string {
  const shown = entry.kind === 'file' ? entry.name : name
  return `Not enough free space: "${shown}" needs ${formatSize(missing)} more.`
}

import type { UploadTransport } from '../transport/upload-transport.ts'
import type { UploadBoard } from './upload-board.ts'
import { setStatus, type Transfer } from './upload-entries.ts'
import { describeLimit } from './upload-limit.ts'

/**
 * Looks for each file that was chosen, in order, whether there is room before its first byte is sent. The server stays the judge: where it
 * cannot be asked, the uploads begin.
 */
export function createAdmission(board: UploadBoard, transport: UploadTransport) {
  const admitted = new WeakSet<Transfer>()
  let turn = Promise.resolve()

  /** Queues the transfers there is room for, and fails the others. One lot after the other, so that each counts those before it. */
  function admit(transfers: readonly Transfer[]): Promise<void> {
    turn = turn.then(() => decide(transfers))
    return turn
  }

  async function decide(transfers: readonly Transfer[]): Promise<void> {
    // Those that are judged again, as when the server has refused one of them, must not count twice.
    for (const transfer of transfers) admitted.delete(transfer)
    const needed = transfers.reduce((total, { plan, isBegun }) => total + (isBegun ? 0 : plan.size), 0)
    const free = needed > 0 ? await transport.readFreeBytes().catch(() => undefined) : undefined
    let room = free === undefined ? Number.POSITIVE_INFINITY : free - countPromised()
    for (const transfer of transfers) {
      if (transfer.status !== 'waiting') continue
      const size = transfer.isBegun ? 0 : transfer.plan.size
      if (size === 0 || size <= room) {
        room -= size
        admitted.add(transfer)
        board.enqueue(transfer)
      } else {
        const reason = describeLimit(transfer, size - Math.max(room, 0))
        setStatus(transfer, 'failed', reason)
        transfer.exceedsQuota = true
        board.settle(transfer, 'failed', reason)
      }
    }
    board.changed()
  }

  /** The room that was given to uploads of which the server does not know yet. */
  function countPromised(): number {
    let bytes = 0
    for (const { counts, transfers } of board.entries.values()) {
      if (counts.waiting === 0) continue
      for (const transfer of transfers) {
        const isPromised = transfer.status === 'waiting' && !transfer.isBegun && admitted.has(transfer)
        if (isPromised) bytes += transfer.plan.size
      }
    }
    return bytes
  }

  return admit
}

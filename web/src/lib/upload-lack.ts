import { formatCount, formatSize } from './format.ts'
import type { Transfer } from './upload-entries.ts'

/** What a lot of uploads lacks, in words. */
export function describeLack(transfers: readonly Transfer[], missing: number): string {
  const [first] = transfers
  const isOneRow = transfers.every(({ entry }) => entry === first?.entry)
  const what = isOneRow ? `"${first?.entry.name}" needs` : `these ${formatCount(transfers.length)} files need`
  return `Not enough room: ${what} ${formatSize(missing)} more than there is.`
}

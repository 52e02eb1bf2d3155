import { formatSize } from '../../lib/format.ts'
import type { Transfer } from './upload-entries.ts'

/** What one upload lacks, in words. */
export function describeLimit({ name, entry }: Transfer, missing: number): string {
  const shown = entry.kind === 'file' ? entry.name : name
  return `Not enough room: "${shown}" needs ${formatSize(missing)} more than there is.`
}

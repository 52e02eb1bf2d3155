import type { OutputOf } from '@alcove/contract/call'
import type { getStorage } from '@alcove/contract/files'
import { DEFAULT_ALLOCATION } from '@alcove/contract/limits'
import { formatStorage, formatUsage, usageOf } from '../lib/format.ts'

/** The storage in words and as a share; until it is known, nothing of what everyone has. */
export function describeStorage(
  storage: Pick<OutputOf<typeof getStorage>, 'used_bytes' | 'allocated_bytes'> | undefined,
) {
  const used = storage?.used_bytes ?? 0
  const allocated = storage?.allocated_bytes ?? DEFAULT_ALLOCATION
  const percent = usageOf(used, allocated)
  return {
    percent,
    usage: formatUsage(used, allocated),
    text: `${formatStorage(used)} of ${formatStorage(allocated)} used`,
    /** As the style of the bar; undefined where there is none. */
    barWidth: used > 0 ? `max(9px, ${percent}%)` : undefined,
    level: percent >= 100 ? 'full' : percent > NEARLY_FULL ? 'high' : undefined,
  } as const
}

/** Above this share of the storage the bar warns, in percent. */
const NEARLY_FULL = 90

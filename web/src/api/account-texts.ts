import type { OutputOf } from '@alcove/contract/call'
import type { getStorage } from '@alcove/contract/files'
import { DEFAULT_ALLOCATION } from '@alcove/contract/limits'
import { formatStorage, formatUsage, usageOf } from '../lib/format.ts'

/** Describes how full the storage is. Until that is known, it is empty and has the default size. */
export function describeStorage(
  storage: Pick<OutputOf<typeof getStorage>, 'used_bytes' | 'allocated_bytes' | 'version_bytes'> | undefined,
) {
  const used = storage?.used_bytes ?? 0
  const allocated = storage?.allocated_bytes ?? DEFAULT_ALLOCATION
  const percent = usageOf(used, allocated)
  const versionBytes = storage?.version_bytes ?? 0
  return {
    percent,
    usage: formatUsage(used, allocated),
    text: `${formatStorage(used)} of ${formatStorage(allocated)} used`,
    /** The CSS width of the bar; undefined if nothing is used. */
    barWidth: used > 0 ? `max(9px, ${percent}%)` : undefined,
    versionBytes,
    /** The CSS width of the part of the bar that earlier versions take; undefined without any. */
    versionWidth: versionBytes > 0 ? `${usageOf(versionBytes, used)}%` : undefined,
    level: percent >= 100 ? 'full' : percent > NEARLY_FULL ? 'high' : undefined,
  } as const
}

/** The bar shows a warning above this percentage. */
const NEARLY_FULL = 90

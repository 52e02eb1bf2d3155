import type { Endpoint } from '../../platform/http/api.ts'
import { deleteVersion, listVersions, renameVersion, restoreVersion } from './manage-versions.ts'
import { deleteVersions } from './reclaim-space.ts'

/** The calls of this module. */
export const versionEndpoints: readonly Endpoint[] = [
  listVersions,
  restoreVersion,
  renameVersion,
  deleteVersion,
  deleteVersions,
]

import { backupEndpoints } from './backups/backups-endpoints.ts'
import { checkEndpoints } from './checks/checks-endpoints.ts'
import { jobEndpoints } from './jobs/jobs-endpoints.ts'
import { overviewEndpoints } from './overview/overview.ts'
import { appearanceEndpoints } from './site/appearance.ts'
import { legalTextEndpoints } from './site/legal-texts.ts'
import { logoEndpoints } from './site/logo.ts'
import { maintenanceEndpoints } from './site/set-maintenance.ts'
import { storageEndpoints } from './storage/storage-endpoints.ts'
import { userEndpoints } from './users/user-calls.ts'

/** The calls of administrators. */
export const adminEndpoints = [
  ...overviewEndpoints,
  ...checkEndpoints,
  ...storageEndpoints,
  ...userEndpoints,
  ...jobEndpoints,
  ...backupEndpoints,
  ...appearanceEndpoints,
  ...logoEndpoints,
  ...legalTextEndpoints,
  ...maintenanceEndpoints,
]

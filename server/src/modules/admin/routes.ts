import type { Endpoint } from '../../platform/http/api.ts'
import { backupEndpoints } from './backups/backups-endpoints.ts'
import { checkEndpoints } from './checks/checks-endpoints.ts'
import {
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitations/manage-invitations.ts'
import { jobEndpoints } from './jobs/jobs-endpoints.ts'
import { overviewEndpoints } from './overview/overview.ts'
import { planEndpoints } from './plans/plan-catalogue.ts'
import { changePlanSettings, getPlanSettings } from './sign-up/plan-settings.ts'
import { changeSignUpSettings, getSignUpSettings } from './sign-up/sign-up-settings.ts'
import { appearanceEndpoints } from './site/appearance.ts'
import { legalTextEndpoints } from './site/legal-texts.ts'
import { logoEndpoints } from './site/logo.ts'
import { maintenanceEndpoints } from './site/set-maintenance.ts'
import { storageEndpoints } from './storage/storage-endpoints.ts'
import { userEndpoints } from './users/user-calls.ts'

/** The calls of administrators. */
export const adminEndpoints: readonly Endpoint[] = [
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
  getSignUpSettings,
  changeSignUpSettings,
  getPlanSettings,
  changePlanSettings,
  ...planEndpoints,
  listInvitations,
  createInvitation,
  resendInvitation,
  revokeInvitation,
]

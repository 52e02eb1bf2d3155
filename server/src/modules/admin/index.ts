export { type RunResult, recordRun, type Watch } from './backups/backup-runs.ts'
export { startDueBackup } from './backups/backup-schedule.ts'
export { checkEverything } from './checks/all-checks.ts'
export { selfTestRoute } from './checks/probe-address.ts'
export { listenForMetrics, metricsRoute } from './metrics-endpoint.ts'
export { readPlans } from './plans/plan-catalogue.ts'
export { readSite } from './read-site.ts'
export { adminEndpoints } from './routes.ts'
export { switchPlans } from './sign-up/plan-settings.ts'
export { readSignUpSettings, writeSignUpSettings } from './sign-up/sign-up-settings.ts'
export { switchMaintenance } from './site/set-maintenance.ts'
export { sampleStorage } from './storage/sample-storage.ts'
export {
  activateUser,
  endUserTwoFactor,
  setUserPlan,
  setUserQuota,
  setUserRole,
  signUserOut,
} from './users/change-users.ts'
export { presentUser } from './users/list-users.ts'
export {
  cancelUserDeletion,
  deleteDueUsers,
  deleteUserAfter,
  suspendUser,
  unsuspendUser,
} from './users/suspend-users.ts'

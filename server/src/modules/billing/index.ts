export { billingMailJobs } from './billing-mails.ts'
export { findPlan, getPlan, planIn, readCatalogue, readCatalogueAnew } from './catalogue/catalogue.ts'
export { replacePlans, resetPlans } from './catalogue/change-catalogue.ts'
export { endCustomerJob, queueEndOfCustomer } from './customers.ts'
export { portalRoute } from './portal.ts'
export { syncPlans } from './prices.ts'
export { billingEndpoints } from './routes.ts'
export { endUnpaidPlans } from './subscriptions/end-unpaid-plans.ts'
export { syncCustomers } from './subscriptions/sync-customers.ts'
export {
  applyDefaultQuota,
  followPlansSetting,
  newUserColumns,
  quotaOf,
  renamePlans,
} from './subscriptions/user-columns.ts'
export { sweepEvents, webhookRoute } from './subscriptions/webhook.ts'
export {
  grantPlan,
  hasPaidPlan,
  noteGrantedPlan,
  setGrantedPlan,
  setOwnQuota,
} from './subscriptions/write-subscription-state.ts'

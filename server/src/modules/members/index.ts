export { groupChangesJob, providerChangesJob, sweepProviderGroups } from './groups/follow-providers.ts'
export { invitationMailJob } from './invitation-mail.ts'
export { memberEndpoints } from './routes.ts'

export { invitationMailJob } from './invitation-mail.ts'
export { memberEndpoints } from './routes.ts'

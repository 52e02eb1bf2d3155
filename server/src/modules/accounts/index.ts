export { firstAdministratorUrl } from './administrators/first-administrator.ts'
export { assertNotLastAdministrator, setRole } from './administrators/roles.ts'
export { cancelDeletion, scheduleDeletion, suspend, unsuspend } from './administrators/suspension.ts'
export { addAppPassword, deleteAllAppPasswords, deleteAppPassword } from './app-passwords/manage-app-passwords.ts'
export { deleteLeftovers, deleteLeftoversJob } from './deletion/delete-leftovers.ts'
export { deleteUser } from './deletion/delete-user.ts'
export { invitationToServerJob, sendInvitations } from './invitations/invitation-letter.ts'
export { invitationUrl } from './invitations/invitation-link.ts'
export {
  addInvitation,
  deleteInvitation,
  renewInvitation,
  sweepInvitations,
} from './invitations/invitations.ts'
export { accountMailJobs, mayReceive, sendQueuedMails } from './mails.ts'
export { findWayToRegister, signUpSetting } from './registration/sign-up.ts'
export { sweepAccounts } from './registration/sweep-accounts.ts'
export { accountEndpoints } from './routes.ts'
export { endSessions } from './sessions/sessions.ts'
export { sweepSessions } from './sessions/sweep-sessions.ts'
export { backChannelLogoutRoute } from './single-sign-on/back-channel-logout.ts'
export { groupChangesKind, providerChangesKind } from './single-sign-on/group-memberships.ts'
export { isForSharing } from './single-sign-on/group-names.ts'
export { checkProviders } from './single-sign-on/manage-providers.ts'
export { listProviders } from './single-sign-on/providers.ts'
export { switchTwoFactorOff } from './two-factor/two-factor.ts'

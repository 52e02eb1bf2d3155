import * as accounts from './accounts.ts'
import * as activity from './activity.ts'
import * as adminBackups from './admin-backups.ts'
import * as adminChecks from './admin-checks.ts'
import * as adminJobs from './admin-jobs.ts'
import * as adminOverview from './admin-overview.ts'
import * as adminPlans from './admin-plans.ts'
import * as adminSignIn from './admin-sign-in.ts'
import * as adminSignUp from './admin-sign-up.ts'
import * as adminSite from './admin-site.ts'
import * as adminStorage from './admin-storage.ts'
import * as adminUsers from './admin-users.ts'
import * as appPasswords from './app-passwords.ts'
import * as audit from './audit.ts'
import * as billing from './billing.ts'
import * as bytes from './bytes.ts'
import type { AnyCall } from './call.ts'
import * as events from './events.ts'
import * as favorites from './favorites.ts'
import * as files from './files.ts'
import * as groups from './groups.ts'
import * as invitations from './invitations.ts'
import * as itemCalls from './item-calls.ts'
import * as links from './links.ts'
import * as locks from './locks.ts'
import * as loginFlows from './login-flows.ts'
import * as media from './media.ts'
import * as members from './members.ts'
import * as notices from './notices.ts'
import * as passkeys from './passkeys.ts'
import * as profile from './profile.ts'
import * as reauthentication from './reauthentication.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as setup from './setup.ts'
import * as sharing from './sharing.ts'
import * as singleSignOn from './single-sign-on.ts'
import * as site from './site.ts'
import * as submissions from './submissions.ts'
import * as trash from './trash.ts'
import * as twoFactor from './two-factor.ts'
import * as uploads from './uploads.ts'
import * as vault from './vault.ts'
import * as versions from './versions.ts'

type CallsOf<Module> = { [Name in keyof Module as Module[Name] extends AnyCall ? Name : never]: Module[Name] }

/** Returns the exports of a module that are calls. */
function callsOf<Module extends object>(module: Module): CallsOf<Module> {
  return Object.fromEntries(Object.entries(module).filter(([, value]) => isCall(value))) as CallsOf<Module>
}

function isCall(value: unknown): value is AnyCall {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

/** Every call of the API, by area and name. */
export const callsByArea = {
  accounts: callsOf({
    ...accounts,
    ...sessions,
    ...twoFactor,
    ...passkeys,
    ...appPasswords,
    ...loginFlows,
    ...reauthentication,
    ...profile,
    ...setup,
    ...singleSignOn,
    checkInvitation: invitations.checkInvitation,
    acceptInvitationToServer: invitations.acceptInvitationToServer,
  }),
  billing: callsOf(billing),
  files: callsOf({ ...files, ...itemCalls, ...bytes, ...search, ...locks, ...events }),
  uploads: callsOf(uploads),
  vault: callsOf(vault),
  versions: callsOf(versions),
  favorites: callsOf(favorites),
  sharing: callsOf({ ...sharing, ...links, ...submissions }),
  members: callsOf({ ...members, ...groups }),
  trash: callsOf(trash),
  notices: callsOf(notices),
  activity: callsOf(activity),
  media: callsOf(media),
  site: callsOf(site),
  admin: callsOf({
    ...audit,
    ...adminChecks,
    ...adminStorage,
    ...adminUsers,
    ...adminJobs,
    ...adminBackups,
    ...adminOverview,
    ...adminSite,
    ...adminSignIn,
    ...adminPlans,
    ...adminSignUp,
    listInvitations: invitations.listInvitations,
    createInvitation: invitations.createInvitation,
    resendInvitation: invitations.resendInvitation,
    revokeInvitation: invitations.revokeInvitation,
  }),
} satisfies Record<string, Record<string, AnyCall>>

/** Every call of the API, by name. */
export const calls = {
  ...callsByArea.accounts,
  ...callsByArea.billing,
  ...callsByArea.files,
  ...callsByArea.uploads,
  ...callsByArea.vault,
  ...callsByArea.versions,
  ...callsByArea.favorites,
  ...callsByArea.sharing,
  ...callsByArea.members,
  ...callsByArea.trash,
  ...callsByArea.notices,
  ...callsByArea.activity,
  ...callsByArea.media,
  ...callsByArea.site,
  ...callsByArea.admin,
}

export const allCalls: readonly AnyCall[] = Object.values(calls)

import type { AuditAction, AuditEntry } from '@alcove/contract/audit'
import { formatDayWithYear, formatStorage } from '../../../lib/format.ts'

type Described = Pick<AuditEntry, 'target' | 'details'>

const sentences: Readonly<Record<AuditAction, (entry: Described) => string>> = {
  'administrator.first': ({ target }) => `${target} became the first administrator`,
  'user.role': ({ target, details }) =>
    details.after === 'admin' ? `${target} was made an administrator` : `${target} is no longer an administrator`,
  'storage.check': () => 'All stored files were checked for damage',
  'job.retry': ({ target }) => `The job “${target}” was tried again`,
  'job.retry-all': ({ details }) => `All failed jobs were tried again (${details.jobs})`,
  'job.discard': ({ target }) => `The failed job “${target}” was deleted`,
  'sign-in.changed': () => 'The ways to sign in were changed',
  'provider.saved': ({ target }) => `The sign-in provider ${target} was added or changed`,
  'provider.removed': ({ target }) => `The sign-in provider ${target} was removed`,
  'files.import': ({ target }) => `Files of the server were imported into the drive of ${target}`,
  'files.export': ({ target }) => `The files of ${target} were exported to the server`,
  'backup.start': ({ target }) => `A backup to ${target} was started`,
  'backup.verify': ({ target }) => `A verification of the backup in ${target} was started`,
  'backup.schedule': ({ details }) => `Backups by the server itself: ${details.after} instead of ${details.before}`,
  'mail.test': ({ target }) => `A test mail was sent to ${target}`,
  'user.activated': ({ target }) => `The account of ${target} was activated`,
  'user.plan': ({ target, details }) => `${target} got the plan ${details.after}, before it was ${details.before}`,
  'user.quota': ({ target, details }) =>
    typeof details.after === 'number'
      ? `${target} got a quota of ${formatStorage(details.after)}`
      : `${target} got the quota of the plan again`,
  'user.signed-out': ({ target, details }) =>
    details.appPasswords === undefined
      ? `${target} was signed out everywhere`
      : `${target} was signed out everywhere, and all app passwords were revoked`,
  'user.two-factor-off': ({ target }) => `Two-factor sign-in was turned off for ${target}`,
  'user.suspended': ({ target }) => `${target} was suspended`,
  'user.unsuspended': ({ target }) => `The suspension of ${target} was ended`,
  'user.deletion': ({ target, details }) =>
    `${target} was suspended, to be deleted on ${formatDayWithYear(String(details.dueAt))}`,
  'user.deletion-canceled': ({ target }) => `The deletion of ${target} was canceled`,
  'user.deleted': ({ target }) => `The account of ${target} was deleted`,
  'site.appearance': ({ details }) => `The appearance of the site was changed: ${listNames(details)}`,
  'site.logo': ({ details }) => (details.bytes === null ? 'The logo was removed' : 'The logo was replaced'),
  'site.announcement': ({ details }) =>
    details.text === undefined ? 'The announcement was removed' : `Announced: “${details.text}”`,
  'site.legal': ({ target }) =>
    target === 'terms' ? 'The terms of service were changed' : 'The privacy policy was changed',
  'site.maintenance': ({ details }) => (details.on ? 'Maintenance began' : 'Maintenance ended'),
  'settings.sign-up': ({ details }) => `The rules for sign-up were changed: ${listChanges(details)}`,
  'settings.plans': ({ details }) => `Plans were switched ${details.enabled ? 'on' : 'off'}`,
  'plans.changed': ({ details }) => `The plans were changed: ${listDifference(details)}`,
  'plans.reset': ({ details }) => `The plans of the installation are sold again: ${listDifference(details)}`,
  'invitation.created': ({ target, details }) =>
    details.role === 'admin' ? `${target} was invited as an administrator` : `${target} was invited`,
  'invitation.resent': ({ target }) => `The invitation of ${target} was sent again`,
  'invitation.revoked': ({ target }) => `The invitation of ${target} was taken back`,
}

/** Details such as `added: 1 TB Monthly ($9.99)`, or the order alone. */
function listDifference(details: AuditEntry['details']): string {
  const parts = Object.entries(details).map(([how, which]) => `${how} ${which}`)
  return parts.length > 0 ? parts.join('; ') : 'the order'
}

function listChanges(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} is ${value === null || value === '' ? 'empty' : value}`)
    .join(', ')
}

const parts: Readonly<Record<string, string>> = {
  name: 'name',
  accent: 'color',
  supportEmail: 'support address',
  showsName: 'name beside the logo',
}

function listNames(details: Described['details']): string {
  return Object.keys(details)
    .map((name) => parts[name] ?? name)
    .join(', ')
}

/** Returns what an administrator did, as a sentence. An action that this version doesn't know is named as it is. */
export function describeAuditEntry({ action, target, details }: AuditEntry): string {
  const describe = Object.hasOwn(sentences, action) ? sentences[action as AuditAction] : undefined
  return describe ? describe({ target, details }) : [action, target].filter((part) => part !== null).join(': ')
}

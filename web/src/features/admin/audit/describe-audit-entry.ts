import type { AuditAction, AuditEntry } from '@alcove/contract/audit'

type Described = Pick<AuditEntry, 'target' | 'details'>

const sentences: Readonly<Record<AuditAction, (entry: Described) => string>> = {
  'administrator.first': ({ target }) => `${target} became the first administrator`,
  'user.role': ({ target, details }) =>
    details.after === 'admin' ? `${target} was made an administrator` : `${target} is no longer an administrator`,
  'storage.check': () => 'All stored files were checked for damage',
  'mail.test': ({ target }) => `A test mail was sent to ${target}`,
}

/** Returns what an administrator did, as a sentence. An action that this version doesn't know is named as it is. */
export function describeAuditEntry({ action, target, details }: AuditEntry): string {
  const describe = Object.hasOwn(sentences, action) ? sentences[action as AuditAction] : undefined
  return describe ? describe({ target, details }) : [action, target].filter((part) => part !== null).join(': ')
}

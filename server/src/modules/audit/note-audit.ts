import { userInfo } from 'node:os'
import type { AuditAction } from '@alcove/contract/audit'
import type { Services, UserContext } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { AuditLogTable } from '../../platform/db/tables.ts'
import { orderedId } from '../../platform/ordered-id.ts'

/** Who does something as an administrator, and from where. */
export type AuditActor = Pick<AuditLogTable, 'via' | 'actor_id' | 'actor' | 'ip'>

interface AuditEntry {
  readonly action: AuditAction
  /** What is changed, as text: the address of a user, the name of a setting. */
  readonly target?: string
  /** What is said about it, such as the old and the new value. Never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** Returns the administrator who makes a request. */
export function actorOf({ user, ip }: UserContext): AuditActor {
  return { via: user.appPassword ? 'token' : 'session', actor_id: user.id, actor: user.email, ip }
}

/** Returns whoever runs a command on the server. */
export function commandLine(): AuditActor {
  return { via: 'command', actor_id: null, actor: nameOfOperator(), ip: null }
}

function nameOfOperator(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the user may have no name.
    return String(process.getuid?.() ?? '')
  }
}

/** Adds an entry to the audit log, in the transaction of what it is about. */
export async function noteAudit(
  { clock }: Pick<Services, 'clock'>,
  tx: Tx,
  actor: AuditActor,
  { action, target, details }: AuditEntry,
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      // Keeps the order of entries of the same millisecond.
      id: orderedId(),
      at: clock.now(),
      ...actor,
      action,
      target: target ?? null,
      details: details ? JSON.stringify(details) : null,
    })
    .execute()
}

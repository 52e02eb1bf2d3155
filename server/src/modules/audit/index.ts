export { auditEndpoints } from './list-audit-log.ts'
export { type AuditActor, actorOf, commandLine, noteAudit } from './note-audit.ts'

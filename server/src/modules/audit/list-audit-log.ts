import { calls } from '@alcove/contract/calls'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'

const listAuditLog = endpoint(calls.listAuditLog, async ({ db }, { limit, cursor }) => {
  const [at, id] = cursor?.split('.') ?? []
  let page = db.selectFrom('audit_log').selectAll()
  if (at !== undefined && id !== undefined) {
    page = page.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(Number(at), id)))
  }
  // Reads one more, to know whether there is another page.
  const rows = await page
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    entries: shown.map((row) => ({
      id: row.id,
      at: formatTime(row.at),
      via: row.via,
      actor: row.actor,
      ip: row.ip,
      action: row.action,
      target: row.target,
      details: row.details === null ? {} : JSON.parse(row.details),
    })),
    nextCursor: last && rows.length > limit ? `${last.at}.${last.id}` : null,
  }
})

export const auditEndpoints = [listAuditLog]

import { calls } from '@alcove/contract/calls'
import type { Services } from '../../../context.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { type AuditActor, actorOf, noteAudit } from '../../audit/index.ts'
import { changeSetting, maintenanceSetting, readSetting } from '../../site/index.ts'

/** Begins or ends maintenance. An empty message stands for the usual one. */
export function switchMaintenance(
  services: Pick<Services, 'db' | 'config' | 'clock'>,
  actor: AuditActor,
  { on, message }: { on: boolean; message: string },
): Promise<{ on: boolean; message: string }> {
  return changeSetting(services, maintenanceSetting, async (before, tx) => {
    if (before.on === on && before.message === message) return before
    await noteAudit(services, tx, actor, { action: 'site.maintenance', details: { on, ...(message && { message }) } })
    return { on, message }
  })
}

const getMaintenanceSettings = endpoint(calls.getMaintenanceSettings, (ctx) => readSetting(ctx, maintenanceSetting))

const setMaintenance = endpoint(calls.setMaintenance, (ctx, { on, message = '' }) =>
  switchMaintenance(ctx, actorOf(ctx), { on, message }),
)

export const maintenanceEndpoints = [getMaintenanceSettings, setMaintenance]

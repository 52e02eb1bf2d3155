import { calls } from '@alcove/contract/calls'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { appearanceSetting } from '../appearance/appearance.ts'
import { defineSetting, readSetting } from '../settings.ts'

/** When programs may try again, in seconds. */
export const TRY_AGAIN_AFTER = 60

/** Whether only administrators can use the server, and what it tells everybody else. Empty for the usual sentence. */
export const maintenanceSetting = defineSetting({
  name: 'maintenance',
  schema: z.object({ on: z.boolean(), message: z.string() }),
  initial: () => ({ on: false, message: '' }),
})

/** Returns what the server tells everybody but administrators, if it is under maintenance. */
export async function readMaintenance(services: Pick<Services, 'db' | 'config'>): Promise<string | undefined> {
  const { on, message } = await readSetting(services, maintenanceSetting)
  if (!on) return undefined
  if (message !== '') return message
  const { name } = await readSetting(services, appearanceSetting)
  return `${name} is under maintenance. Please try again later.`
}

/** Throws 503 during maintenance, unless it is an administrator who signs in. */
export async function assertAdmits(services: Services, user: { readonly site_role: string }): Promise<void> {
  const message = user.site_role === 'admin' ? undefined : await readMaintenance(services)
  if (message !== undefined) throw underMaintenance(message)
}

export function underMaintenance(message: string): AppError {
  return new AppError('maintenance', message, { retryAfterSeconds: TRY_AGAIN_AFTER })
}

export const getMaintenance = endpoint(calls.getMaintenance, async (ctx) => ({
  message: (await readMaintenance(ctx)) ?? null,
}))

import type { Appearance } from '@alcove/contract/admin-site'
import { calls } from '@alcove/contract/calls'
import type { Services } from '../../../context.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { PRODUCT_NAME } from '../../../platform/mail/brand.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import {
  announcementSetting,
  appearanceSetting,
  changeSetting,
  LOGO_PATH,
  readAnnouncement,
  readSetting,
} from '../../site/index.ts'

/** Returns how the site looks, and what an administrator can set it to. */
export async function describeAppearance(services: Services): Promise<Appearance> {
  const { logo, ...appearance } = await readSetting(services, appearanceSetting)
  return {
    ...appearance,
    logo: logo && { url: `${LOGO_PATH}?v=${logo.hash}`, width: logo.width, height: logo.height },
    announcement: (await readAnnouncement(services)) ?? null,
    defaults: { name: PRODUCT_NAME, supportEmail: services.config.supportEmail },
  }
}

const getAppearance = endpoint(calls.getAppearance, (ctx) => describeAppearance(ctx))

const updateAppearance = endpoint(calls.updateAppearance, async (ctx, { announcement, ...given }) => {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  if (Object.keys(changes).length > 0) {
    await changeSetting(ctx, appearanceSetting, async (before, tx) => {
      await noteAudit(ctx, tx, actorOf(ctx), { action: 'site.appearance', details: changes })
      return { ...before, ...changes }
    })
  }
  if (announcement !== undefined) {
    await changeSetting(ctx, announcementSetting, async (_before, tx) => {
      await noteAudit(ctx, tx, actorOf(ctx), { action: 'site.announcement', details: { ...announcement } })
      return { announcement }
    })
  }
  return describeAppearance(ctx)
})

export const appearanceEndpoints = [getAppearance, updateAppearance]

import type { Announcement } from '@alcove/contract/site'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { type Brand, PRODUCT_NAME } from '../../../platform/mail/brand.ts'
import { defineSetting, readSetting } from '../settings.ts'
import { LOGO_PATH } from './brand-paths.ts'

/** How the site looks. */
export const appearanceSetting = defineSetting({
  name: 'appearance',
  schema: z.object({
    name: z.string(),
    /** Null for the color of the product. */
    accent: z.string().nullable(),
    /** Null for the one in the settings of the server. */
    supportEmail: z.string().nullable(),
    showsName: z.boolean(),
    /** Its bytes are in `site_images`, and `hash` is theirs. */
    logo: z.object({ hash: z.string(), width: z.number(), height: z.number() }).nullable(),
  }),
  initial: () => ({ name: PRODUCT_NAME, accent: null, supportEmail: null, showsName: true, logo: null }),
})
export type AppearanceSetting = z.infer<typeof appearanceSetting.schema>

/** What the operator tells everybody. */
export const announcementSetting = defineSetting<{ announcement: Announcement | null }>({
  name: 'announcement',
  schema: z.object({
    announcement: z
      .object({ text: z.string(), tone: z.enum(['info', 'warning']), until: z.string().nullable() })
      .nullable(),
  }),
  initial: () => ({ announcement: null }),
})

/** Returns what the operator tells everybody now. */
export async function readAnnouncement(
  services: Pick<Services, 'db' | 'config' | 'clock'>,
): Promise<Announcement | undefined> {
  const { announcement } = await readSetting(services, announcementSetting)
  if (!announcement) return undefined
  const isOver = announcement.until !== null && Date.parse(announcement.until) <= services.clock.now()
  return isOver ? undefined : announcement
}

/** Returns whose mails and pages these are. */
export async function readBrand(services: Pick<Services, 'db' | 'config'>): Promise<Brand> {
  const { name, accent, supportEmail, showsName, logo } = await readSetting(services, appearanceSetting)
  const { config } = services
  return {
    name,
    accent,
    supportEmail: supportEmail ?? config.supportEmail,
    ...(supportEmail !== null && supportEmail !== config.supportEmail && { replyTo: supportEmail }),
    // Without its version: the mail is read when the logo may be another one.
    ...(logo && {
      logo: { url: `${config.publicUrl}${LOGO_PATH}`, width: logo.width, height: logo.height, showsName },
    }),
  }
}

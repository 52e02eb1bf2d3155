import type { Announcement } from '@alcove/contract/site'
import type { Services } from '../../context.ts'
import { describeDuration, escapeHtml } from '../../platform/format.ts'
import type { Site } from '../../platform/http/web-pages.ts'
import { appearanceSetting, readAnnouncement } from './appearance/appearance.ts'
import { ICON_PATH } from './appearance/brand-paths.ts'
import { writeBrandStyle } from './appearance/brand-style.ts'
import { legalSetting } from './legal-texts.ts'
import { readMaintenance } from './maintenance/maintenance.ts'
import { readSetting } from './settings.ts'

/** Returns what the operator and the abilities of the server change in all pages. */
export async function describeSite(services: Services): Promise<Omit<Site, 'variant'>> {
  const { config, thumbnails } = services
  const appearance = await readSetting(services, appearanceSetting)
  const announcement = await readAnnouncement(services)
  const maintenance = await readMaintenance(services)
  const { terms, privacy } = await readSetting(services, legalSetting)
  const style = writeBrandStyle(appearance)
  return {
    texts: {
      'alcove-name': appearance.name,
      'alcove-support-email': appearance.supportEmail ?? config.supportEmail,
      'alcove-backup-retention': config.backupRetention,
      'alcove-trash-retention': describeDuration(config.trashRetention),
      'alcove-version-retention': String(config.versionRetention),
      'alcove-video-thumbnails': thumbnails.canDrawVideos ? 'yes' : 'no',
    },
    head: [
      announcement && metaElement('alcove-announcement', toJson(announcement)),
      maintenance !== undefined && metaElement('alcove-maintenance', maintenance),
      (terms || privacy) && metaElement('alcove-own-texts', [terms && 'terms', privacy && 'privacy'].join(' ')),
      style && `<style>${style}</style>`,
    ]
      .filter(Boolean)
      .join(''),
    ...(appearance.logo && { icon: `${ICON_PATH}?v=${appearance.logo.hash}` }),
    isClosed: maintenance !== undefined,
    ownPages: {
      ...(terms && { '/terms-of-service': metaElement('alcove-text-terms', terms) }),
      ...(privacy && { '/privacy-policy': metaElement('alcove-text-privacy', privacy) }),
    },
  }
}

function toJson({ text, tone, until }: Announcement): string {
  return JSON.stringify({ text, tone, until })
}

function metaElement(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}">`
}

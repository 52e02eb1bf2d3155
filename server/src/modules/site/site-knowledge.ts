import type { SiteKnowledge } from '../../context.ts'
import { readBrand } from './appearance/appearance.ts'

/** What services must know about the site, although they lie below the modules. */
export const siteKnowledge: SiteKnowledge = {
  readSupportEmail: async (services) => (await readBrand(services)).supportEmail,
}

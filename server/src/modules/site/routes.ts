import { getLegalText } from './legal-texts.ts'
import { getMaintenance } from './maintenance/maintenance.ts'

export const siteEndpoints = [getLegalText, getMaintenance]

export { defaultQuotaSetting, plansSetting, twoFactorRequiredSetting } from './account-settings.ts'
export {
  announcementSetting,
  appearanceSetting,
  readAnnouncement,
  readBrand,
} from './appearance/appearance.ts'
export { brandImages } from './appearance/brand-images.ts'
export { LOGO_PATH } from './appearance/brand-paths.ts'
export { describeSite } from './describe-site.ts'
export { legalSetting } from './legal-texts.ts'
export { assertAdmits, maintenanceSetting, readMaintenance, TRY_AGAIN_AFTER } from './maintenance/maintenance.ts'
export { closeForMaintenance } from './maintenance/maintenance-gate.ts'
export { siteEndpoints } from './routes.ts'
export {
  changeSetting,
  changeSettingIn,
  changeSettings,
  defineSetting,
  readSetting,
  readSettingAnew,
} from './settings.ts'
export { siteKnowledge } from './site-knowledge.ts'

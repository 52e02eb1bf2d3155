export { changeSetting, defineSetting, readSetting, type Setting } from './settings.ts'

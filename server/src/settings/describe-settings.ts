import { resolve } from 'node:path'
import { isSettingName, settingNames } from '../config.ts'
import { maskSecret } from './secret-settings.ts'
import { SETTINGS_FILE, type Settings } from './settings.ts'

interface DescribedSetting {
  readonly name: string
  /** `default`, `environment` or the line of the file: `alcove.env:3`. */
  readonly source: string
  /** Without secrets. */
  readonly value: string
}

/** The defaults of `readConfig`, as the operator would write them. Settings without a default are not listed. */
export const defaultValues: Readonly<Record<string, string>> = {
  PORT: '5100',
  HOST: '127.0.0.1',
  ALCOVE_SUPPORT_EMAIL: 'support@localhost',
  ALCOVE_SESSION_TTL: '7d',
  ALCOVE_SESSION_MAX_AGE: '90d',
  ALCOVE_TRASH_RETENTION: '30d',
  ALCOVE_VERSION_RETENTION: '365d',
  ALCOVE_MAX_ITEMS_FREE: '200000',
  ALCOVE_MAX_ITEMS_PAID: '1000000',
  ALCOVE_SEND_FILES: 'app',
  ALCOVE_RATE_LIMITS: 'on',
  ALCOVE_LOG_LEVEL: 'info',
  ALCOVE_PASSWORD_SIGN_IN: 'on',
  ALCOVE_SIGN_UP: 'open',
  ALCOVE_PLANS: 'on',
}

/** Lists every setting with its value and where that comes from. */
export function describeSettings({ variables, file }: Settings): DescribedSetting[] {
  const given = Object.keys(variables).filter((name) => isSettingName(name) && !settingNames.has(name))
  // The PATH is not a setting of Alcove.
  const names = [...settingNames, ...given.sort()].filter((name) => name !== 'PATH')
  return names.map((name) => {
    const value = variables[name]
    if (!value) return { name, source: 'default', value: describeDefault(name, variables.PORT) }
    const inFile = file?.get(name)
    const isFromFile = inFile?.value === value
    const place = inFile && `${SETTINGS_FILE}:${inFile.line}`
    const source = isFromFile && place ? place : `environment${inFile?.value ? ` (over ${place})` : ''}`
    return { name, source, value: maskSecret(name, value) }
  })
}

function describeDefault(name: string, port: string | undefined): string {
  if (name === 'ALCOVE_PUBLIC_URL') return `http://localhost:${port || defaultValues.PORT}`
  if (name === 'ALCOVE_DATA_DIR') return resolve('data')
  return defaultValues[name] ?? '(not set)'
}

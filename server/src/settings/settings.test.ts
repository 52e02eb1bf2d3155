import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError, readConfig, settingNames } from '../config.ts'
import { defaultValues, describeSettings } from './describe-settings.ts'
import { maskSecret } from './secret-settings.ts'
import { readSettings, toConfig } from './settings.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-settings-'))
  path = join(folder, 'alcove.env')
})
afterEach(() => rm(folder, { recursive: true }))

function write(text: string, mode = 0o600) {
  return writeFile(path, text, { mode })
}

describe('alcove.env', () => {
  it('sets what the environment does not set', async () => {
    await write(
      '\ufeff# My server\r\n\r\nexport PORT=5200\r\n  HOST = 0.0.0.0  # all networks\n' +
        'ALCOVE_SECRET="sixteen # letters"\nALCOVE_BACKUP_RETENTION=30 days',
    )
    const environment = { PORT: '5300', HOST: '', PATH: '/bin' }
    const settings = readSettings(environment, folder)
    expect(settings.warnings).toEqual([])
    expect(toConfig(settings)).toMatchObject({
      port: 5300,
      host: '0.0.0.0',
      secret: 'sixteen # letters',
      backupRetention: '30 days',
      programPath: '/bin',
    })
    expect(toConfig(settings, { ALCOVE_SECRET: '' }).secret).toBe(undefined)
    expect(environment).toEqual({ PORT: '5300', HOST: '', PATH: '/bin' })
  })

  it('may be missing', () => {
    expect(toConfig(readSettings({ PORT: '5300' }, folder)).port).toBe(5300)
  })

  it.each([
    ['ALCOVE_SMPT_URL=smtp://a', 'ALCOVE_SMPT_URL is not a setting of Alcove. Did you mean ALCOVE_SMTP_URL?'],
    ['ALCOVE_=1', 'ALCOVE_ is not a setting of Alcove.'],
    ['PORT 5100', 'This is not a setting. A line has the form NAME=value.'],
    ['=5100', 'This is not a setting. A line has the form NAME=value.'],
    ['MY PORT=5100', 'This is not a setting. A line has the form NAME=value.'],
    ['HOST=::1', 'HOST is already set in line 1.'],
    ['ALCOVE_SECRET=abc#def', 'Put the value of ALCOVE_SECRET in quotes, because it contains #.'],
    ['ALCOVE_SECRET=#def', 'Put the value of ALCOVE_SECRET in quotes, because it contains #.'],
    ['ALCOVE_SECRET="abc', 'The value of ALCOVE_SECRET must end with the quote " that it begins with.'],
    ["ALCOVE_SECRET='abc'def", "The value of ALCOVE_SECRET must end with the quote ' that it begins with."],
    ['PORT=many', 'PORT must be a port number.'],
    ['ALCOVE_S3_BUCKET=bytes', undefined],
  ])('is refused with the number of the line and the mistake: %s', async (line, message) => {
    await write(`HOST=127.0.0.1\n\n${line}\n`)
    const read = () => toConfig(readSettings({}, folder))
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(message === undefined ? /^ALCOVE_S3_ENDPOINT is missing: / : `${path}, line 3: ${message}`)
  })

  it('is not blamed for a value of the environment', async () => {
    await write('PORT=5100\n')
    expect(() => toConfig(readSettings({ PORT: 'many' }, folder))).toThrow(/^PORT must be a port number\.$/)
  })

  it('may describe providers for single sign-on, whose secrets are masked', async () => {
    const lines = ['ISSUER=https://id.example', 'CLIENT_ID=alcove', 'CLIENT_SECRET=hidden'].map(
      (line) => `ALCOVE_OIDC_HOME_${line}\n`,
    )
    await write(lines.join(''))
    const settings = readSettings({}, folder)
    expect(toConfig(settings).oidcProviders).toMatchObject([{ name: 'home', clientSecret: 'hidden' }])
    const shown = describeSettings(settings).filter(({ name }) => name.startsWith('ALCOVE_OIDC_'))
    expect(shown.map(({ source, value }) => [source, value])).toEqual([
      ['alcove.env:2', 'alcove'],
      ['alcove.env:3', '********'],
      ['alcove.env:1', 'https://id.example'],
    ])
    await write('ALCOVE_OIDC_HOME_ISSUR=https://id.example\n')
    expect(() => readSettings({}, folder)).toThrow(
      `${path}, line 1: ALCOVE_OIDC_HOME_ISSUR is not a setting of Alcove.`,
    )
  })

  it('causes a warning for names that are not of Alcove', async () => {
    await write('PORT=5200\nPOSTGRES_PASSWORD=x\n__proto__=x\n')
    const { warnings, variables } = readSettings({}, folder)
    expect(warnings).toEqual([
      `${path}, line 2: POSTGRES_PASSWORD is not a setting of Alcove and has no effect.`,
      `${path}, line 3: __proto__ is not a setting of Alcove and has no effect.`,
    ])
    expect(variables).toEqual({ PORT: '5200' })
  })

  it.each([
    ['ALCOVE_SECRET=sixteen-letters-x', 0o644, 'ALCOVE_SECRET'],
    ['ALCOVE_SMTP_URL=smtp://me:word@mail.example', 0o640, 'ALCOVE_SMTP_URL'],
    ['ALCOVE_SMTP_URL=smtp://mail.example', 0o644, undefined],
    ['ALCOVE_SECRET=', 0o644, undefined],
    ['ALCOVE_SECRET=sixteen-letters-x', 0o600, undefined],
  ])('with %s and the mode %o causes a warning only if others can read a secret', async (line, mode, name) => {
    await write(`${line}\n`)
    await chmod(path, mode)
    expect(readSettings({}, folder).warnings).toEqual(
      name === undefined
        ? []
        : [expect.stringMatching(new RegExp(`mode ${mode.toString(8)}\\), and contains ${name}\\. Run: chmod 600`))],
    )
  })

  it('is refused with its path if it is a folder', async () => {
    await mkdir(path)
    expect(() => readSettings({}, folder)).toThrow(`${path} can't be read (EISDIR).`)
  })
})

describe('the secrets in settings', () => {
  it.each([
    ['ALCOVE_SECRET', 'sixteen-letters-x', '********'],
    ['ALCOVE_METRICS_TOKEN', 'token', '********'],
    ['STRIPE_SECRET_KEY', 'sk_test_1', '********'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1', '********'],
    ['ALCOVE_S3_SECRET_ACCESS_KEY', 'key', '********'],
    ['ALCOVE_OIDC_KEYCLOAK_CLIENT_SECRET', 'secret', '********'],
    ['ALCOVE_OIDC_KEYCLOAK_CLIENT_ID', 'alcove', 'alcove'],
    ['ALCOVE_PASSWORD_SIGN_IN', 'off', 'off'],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_1', 'pk_test_1'],
    ['ALCOVE_S3_ACCESS_KEY_ID', 'id', 'id'],
    ['ALCOVE_DATABASE_URL', 'postgres://me:p@ss:word@db:5432/x', 'postgres://me:********@db:5432/x'],
    ['ALCOVE_DATABASE_URL', 'postgres://db/x?user=me&password=p#w', 'postgres://db/x?user=me&password=********'],
    ['ALCOVE_REDIS_URL', 'rediss://:word@redis.example:6379/1', 'rediss://:********@redis.example:6379/1'],
    ['ALCOVE_PUBLIC_URL', 'https://cloud.example:8443/a@b', 'https://cloud.example:8443/a@b'],
    ['ALCOVE_SECRET', '', ''],
  ])('are masked in %s=%s', (name, value, shown) => {
    expect(maskSecret(name, value)).toBe(shown)
  })
})

describe('the description of the settings', () => {
  it('shows the defaults of readConfig', () => {
    for (const [name, value] of Object.entries(defaultValues)) {
      expect(readConfig({ [name]: value }), name).toEqual(readConfig({}))
    }
    // Each setting without a default is named here, so that nobody forgets one.
    const unset = [...settingNames].filter((name) => defaultValues[name] === undefined)
    expect(unset.filter((name) => !/^(STRIPE_|ALCOVE_S3_|ALCOVE_METRICS_)/.test(name)).sort()).toEqual([
      'ALCOVE_BACKUP_DIR',
      'ALCOVE_BACKUP_RETENTION',
      'ALCOVE_DATABASE_URL',
      'ALCOVE_DATA_DIR',
      'ALCOVE_DAV_ORIGINS',
      'ALCOVE_LOG_FORMAT',
      'ALCOVE_PUBLIC_URL',
      'ALCOVE_REDIS_URL',
      'ALCOVE_SCAN_COMMAND',
      'ALCOVE_SECRET',
      'ALCOVE_SIGN_IN_STRAIGHT_TO',
      'ALCOVE_SIGN_UP_DOMAINS',
      'ALCOVE_SMTP_URL',
      'ALCOVE_TRUSTED_PROXIES',
      'PATH',
    ])
  })

  it('is complete in the README', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
    for (const name of settingNames)
      if (name !== 'PATH') expect(readme, name).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|$`, 'm'))
  })

  it('says where each value comes from', async () => {
    await write('PORT=5200\nALCOVE_SECRET=sixteen-letters-x\nALCOVE_SESSION_TTL=1d\n')
    const all = describeSettings(readSettings({ PORT: '5300', ALCOVE_SESSION_MAX_AGE: '60d' }, folder))
    const of = (name: string) => all.find((one) => one.name === name)
    expect(of('PORT')).toMatchObject({ source: 'environment (over alcove.env:1)', value: '5300' })
    expect(of('ALCOVE_SECRET')).toMatchObject({ source: 'alcove.env:2', value: '********' })
    expect(of('ALCOVE_SESSION_TTL')).toMatchObject({ source: 'alcove.env:3', value: '1d' })
    expect(of('ALCOVE_SESSION_MAX_AGE')).toMatchObject({ source: 'environment', value: '60d' })
    expect(of('ALCOVE_PUBLIC_URL')).toMatchObject({ source: 'default', value: 'http://localhost:5300' })
    expect(of('ALCOVE_REDIS_URL')).toMatchObject({ source: 'default', value: '(not set)' })
    expect(all.map(({ name }) => name)).not.toContain('PATH')
  })
})

import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, isLoopback, readConfig } from './config.ts'

describe('the settings', () => {
  it('need not be given', () => {
    expect(readConfig({})).toEqual({
      port: 5100,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:5100',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      secret: undefined,
      smtpUrl: undefined,
      stripe: undefined,
      supportEmail: 'support@localhost',
      backupRetention: '',
      sessionTtl: 7 * 86_400_000,
      trashRetention: 30 * 86_400_000,
      sendFiles: 'app',
      rateLimits: true,
      programPath: '',
    })
  })

  it('are read from the environment', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      ALCOVE_PUBLIC_URL: 'https://alcove.example/',
      ALCOVE_DATA_DIR: '/var/lib/alcove',
      ALCOVE_DATABASE_URL: 'postgres://user:pass@db/alcove',
      ALCOVE_SECRET: 'x'.repeat(32),
      ALCOVE_SMTP_URL: 'smtps://user:pass@mail.example:465',
      ALCOVE_SUPPORT_EMAIL: 'help@alcove.example',
      STRIPE_SECRET_KEY: 'sk_live_1a',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_2b',
      STRIPE_WEBHOOK_SECRET: 'whsec_3c',
      ALCOVE_BACKUP_RETENTION: '30 days',
      ALCOVE_SESSION_TTL: '12h',
      ALCOVE_TRASH_RETENTION: '90d',
      ALCOVE_SEND_FILES: 'nginx',
      ALCOVE_RATE_LIMITS: 'off',
      PATH: '/usr/bin:/bin',
    })
    expect(config).toEqual({
      port: 8080,
      host: '0.0.0.0',
      publicUrl: 'https://alcove.example',
      dataDir: '/var/lib/alcove',
      databaseUrl: 'postgres://user:pass@db/alcove',
      secret: 'x'.repeat(32),
      smtpUrl: 'smtps://user:pass@mail.example:465',
      stripe: { secretKey: 'sk_live_1a', publishableKey: 'pk_live_2b', webhookSecret: 'whsec_3c' },
      supportEmail: 'help@alcove.example',
      backupRetention: '30 days',
      sessionTtl: 12 * 3_600_000,
      trashRetention: 90 * 86_400_000,
      sendFiles: 'nginx',
      rateLimits: false,
      programPath: '/usr/bin:/bin',
    })
  })

  it('count as not given when they are empty, and others are ignored', () => {
    expect(readConfig({ PORT: '', ALCOVE_SMTP_URL: '', ALCOVE_SECRET: undefined, HOME: '/root' })).toEqual(
      readConfig({}),
    )
  })

  it('put the port into the public address', () => {
    expect(readConfig({ PORT: '5250' }).publicUrl).toBe('http://localhost:5250')
  })

  it.each([
    ['2s', 2000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
  ])('read a session of %s', (text, milliseconds) => {
    expect(readConfig({ ALCOVE_SESSION_TTL: text }).sessionTtl).toBe(milliseconds)
  })

  it.each([
    ['PORT', ['http', '-1', '70000', '5100.5', ' 5100', '0x10']],
    ['ALCOVE_PUBLIC_URL', ['alcove.example', 'ftp://alcove.example', 'http://', '/']],
    ['ALCOVE_DATABASE_URL', ['mysql://db/alcove', 'alcove.sqlite', 'postgres']],
    ['ALCOVE_SECRET', ['short', 'x'.repeat(15)]],
    ['ALCOVE_SMTP_URL', ['mail.example:25', 'http://mail.example']],
    ['ALCOVE_SUPPORT_EMAIL', ['support', 'a b@example.com', '@', 'a@']],
    ['ALCOVE_BACKUP_RETENTION', ['x'.repeat(101)]],
    ['ALCOVE_TRASH_RETENTION', ['30', 'forever', '0d']],
    ['ALCOVE_SESSION_TTL', ['7', '0d', '-1d', '1w', '1.5h', 'forever', '7 d']],
    ['ALCOVE_SEND_FILES', ['apache', 'APP']],
    ['ALCOVE_RATE_LIMITS', ['yes', 'true', '0']],
    ['STRIPE_SECRET_KEY', ['secret', 'pk_test_1', 'sk_1', 'sk_live_', 'sk_live_a b']],
    ['STRIPE_PUBLISHABLE_KEY', ['sk_test_1', 'pk_1', 'pk_test_']],
    ['STRIPE_WEBHOOK_SECRET', ['secret', 'whsec_', 'whsec_a b']],
  ])('stop the start with one line that names %s when it is bad', (name, values) => {
    for (const value of values) {
      const read = () => readConfig({ [name]: value })
      expect(read, value).toThrow(ConfigError)
      expect(read, value).toThrow(new RegExp(`^${name} (is|has|starts with) .*\\.$`))
    }
  })

  it.each([
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, /^STRIPE_PUBLISHABLE_KEY is missing/],
    [{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /^STRIPE_WEBHOOK_SECRET is missing/],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /^STRIPE_SECRET_KEY is missing/],
    [
      { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
      /^STRIPE_PUBLISHABLE_KEY belongs to another mode/,
    ],
  ])('of Stripe are given together and belong together: %j', (given, line) => {
    const read = () => readConfig(given)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(line)
  })
})

describe('a loopback address', () => {
  it.each([
    'http://localhost:5100',
    'http://127.0.0.1',
    'http://127.1.2.3:80',
    'http://[::1]:5100',
    'http://a.localhost',
  ])('is %s', (url) => expect(isLoopback(url)).toBe(true))
  it.each(['https://alcove.example', 'http://192.168.0.1', 'http://localhost.example', 'http://127.evil.example'])(
    'is not %s',
    (url) => expect(isLoopback(url)).toBe(false),
  )
})

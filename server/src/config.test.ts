import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, isLoopback, readConfig } from './config.ts'

describe('readConfig', () => {
  it('returns the defaults if no variable is set', () => {
    expect(readConfig({})).toEqual({
      port: 5100,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:5100',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      secret: undefined,
      s3: undefined,
      redisUrl: undefined,
      smtpUrl: undefined,
      signUp: { mode: 'open', domains: [] },
      plans: true,
      stripe: undefined,
      supportEmail: 'support@localhost',
      backupDir: undefined,
      backupRetention: '',
      sessionTtl: 7 * 86_400_000,
      sessionMaxAge: 90 * 86_400_000,
      trashRetention: 30 * 86_400_000,
      versionRetention: 365 * 86_400_000,
      maxItems: { free: 200_000, paid: 1_000_000 },
      sendFiles: 'app',
      davOrigins: [],
      trustedProxies: [],
      rateLimits: true,
      log: { format: undefined, level: 'info' },
      metricsPort: undefined,
      metricsToken: undefined,
      programPath: '',
      oidcProviders: [],
      passwordSignIn: true,
      signInStraightTo: undefined,
    })
  })

  it('reads every setting from the environment', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      ALCOVE_PUBLIC_URL: 'https://alcove.example/',
      ALCOVE_DATA_DIR: '/var/lib/alcove',
      ALCOVE_DATABASE_URL: 'postgres://user:pass@db/alcove',
      ALCOVE_SECRET: 'x'.repeat(32),
      ALCOVE_S3_ENDPOINT: 'https://s3.example:9000',
      ALCOVE_S3_BUCKET: 'alcove-bytes',
      ALCOVE_S3_REGION: 'eu-central-1',
      ALCOVE_S3_ACCESS_KEY_ID: 'AK1',
      ALCOVE_S3_SECRET_ACCESS_KEY: 'a+secret/key=',
      ALCOVE_REDIS_URL: 'rediss://:pass@redis.example:6379/1',
      ALCOVE_SMTP_URL: 'smtps://user:pass@mail.example:465',
      ALCOVE_SIGN_UP: 'domain',
      ALCOVE_SIGN_UP_DOMAINS: 'example.com, Example.org',
      ALCOVE_PLANS: 'off',
      ALCOVE_SUPPORT_EMAIL: 'help@alcove.example',
      STRIPE_SECRET_KEY: 'sk_live_1a',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_2b',
      STRIPE_WEBHOOK_SECRET: 'whsec_3c',
      ALCOVE_BACKUP_DIR: '/mnt/backup',
      ALCOVE_BACKUP_RETENTION: '30 days',
      ALCOVE_SESSION_TTL: '12h',
      ALCOVE_SESSION_MAX_AGE: '30d',
      ALCOVE_TRASH_RETENTION: '90d',
      ALCOVE_VERSION_RETENTION: '0',
      ALCOVE_MAX_ITEMS_FREE: '5000',
      ALCOVE_MAX_ITEMS_PAID: '60000',
      ALCOVE_SEND_FILES: 'nginx',
      ALCOVE_DAV_ORIGINS: 'https://app.example, http://localhost:8080 app://obsidian.md',
      ALCOVE_TRUSTED_PROXIES: '10.0.0.2, 10.1.0.0/16 fd00::/8',
      ALCOVE_RATE_LIMITS: 'off',
      ALCOVE_LOG_FORMAT: 'json',
      ALCOVE_LOG_LEVEL: 'warn',
      ALCOVE_METRICS_PORT: '9100',
      ALCOVE_METRICS_TOKEN: 'a-token-of-some-length',
      ALCOVE_PASSWORD_SIGN_IN: 'off',
      ALCOVE_SIGN_IN_STRAIGHT_TO: 'Keycloak',
      ALCOVE_OIDC_KEYCLOAK_ISSUER: 'https://id.example/realms/family',
      ALCOVE_OIDC_KEYCLOAK_CLIENT_ID: 'alcove',
      ALCOVE_OIDC_KEYCLOAK_CLIENT_SECRET: 'a-secret',
      ALCOVE_OIDC_KEYCLOAK_DOMAINS: 'example.com, Example.org',
      ALCOVE_OIDC_KEYCLOAK_TRUST_EMAIL: 'on',
      PATH: '/usr/bin:/bin',
    })
    expect(config).toEqual({
      port: 8080,
      host: '0.0.0.0',
      publicUrl: 'https://alcove.example',
      dataDir: '/var/lib/alcove',
      databaseUrl: 'postgres://user:pass@db/alcove',
      secret: 'x'.repeat(32),
      s3: {
        endpoint: 'https://s3.example:9000',
        bucket: 'alcove-bytes',
        region: 'eu-central-1',
        accessKeyId: 'AK1',
        secretAccessKey: 'a+secret/key=',
      },
      redisUrl: 'rediss://:pass@redis.example:6379/1',
      smtpUrl: 'smtps://user:pass@mail.example:465',
      signUp: { mode: 'domain', domains: ['example.com', 'example.org'] },
      plans: false,
      stripe: { secretKey: 'sk_live_1a', publishableKey: 'pk_live_2b', webhookSecret: 'whsec_3c' },
      supportEmail: 'help@alcove.example',
      backupDir: '/mnt/backup',
      backupRetention: '30 days',
      sessionTtl: 12 * 3_600_000,
      sessionMaxAge: 30 * 86_400_000,
      trashRetention: 90 * 86_400_000,
      versionRetention: 0,
      maxItems: { free: 5000, paid: 60_000 },
      sendFiles: 'nginx',
      davOrigins: ['https://app.example', 'http://localhost:8080', 'app://obsidian.md'],
      trustedProxies: ['10.0.0.2', '10.1.0.0/16', 'fd00::/8'],
      rateLimits: false,
      log: { format: 'json', level: 'warn' },
      metricsPort: 9100,
      metricsToken: 'a-token-of-some-length',
      programPath: '/usr/bin:/bin',
      oidcProviders: [
        {
          name: 'keycloak',
          label: 'Keycloak',
          issuer: 'https://id.example/realms/family',
          clientId: 'alcove',
          clientSecret: 'a-secret',
          scopes: 'openid profile email',
          newAccounts: 'invited',
          domains: ['example.com', 'example.org'],
          trustsEmail: true,
          roleClaim: null,
          adminValue: 'admin',
          quotaClaim: null,
          groupsClaim: 'groups',
          allowedGroups: [],
          groups: [],
          signsOut: true,
        },
      ],
      passwordSignIn: false,
      signInStraightTo: 'keycloak',
    })
  })

  it('treats empty variables as unset and ignores unknown ones', () => {
    expect(readConfig({ PORT: '', ALCOVE_SMTP_URL: '', ALCOVE_SECRET: undefined, HOME: '/root' })).toEqual(
      readConfig({}),
    )
  })

  it('uses the port in the default public address', () => {
    expect(readConfig({ PORT: '5250' }).publicUrl).toBe('http://localhost:5250')
  })

  it.each([
    ['2s', 2000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
  ])('reads a duration of %s', (text, milliseconds) => {
    expect(readConfig({ ALCOVE_SESSION_TTL: text }).sessionTtl).toBe(milliseconds)
  })

  it.each([
    ['PORT', ['http', '-1', '70000', '5100.5', ' 5100', '0x10']],
    ['ALCOVE_PUBLIC_URL', ['alcove.example', 'ftp://alcove.example', 'http://', '/']],
    ['ALCOVE_DATABASE_URL', ['mysql://db/alcove', 'alcove.sqlite', 'postgres']],
    ['ALCOVE_SECRET', ['short', 'x'.repeat(15)]],
    ['ALCOVE_SMTP_URL', ['mail.example:25', 'http://mail.example']],
    ['ALCOVE_S3_ENDPOINT', ['s3.example', 's3://bucket', 'ftp://s3.example']],
    ['ALCOVE_S3_BUCKET', ['a', 'Bucket', 'a/b', 'a b', '-a-']],
    ['ALCOVE_S3_REGION', ['us east', 'eu/central']],
    ['ALCOVE_S3_ACCESS_KEY_ID', ['a b']],
    ['ALCOVE_S3_SECRET_ACCESS_KEY', ['a b']],
    ['ALCOVE_REDIS_URL', ['redis.example:6379', 'http://redis.example', 'redis']],
    ['ALCOVE_SIGN_UP', ['on', 'Open', 'members']],
    ['ALCOVE_SIGN_UP_DOMAINS', ['example', '@example.com', 'https://example.com', '*.example.com']],
    ['ALCOVE_PLANS', ['yes', 'true', '0']],
    ['ALCOVE_SUPPORT_EMAIL', ['support', 'a b@example.com', '@', 'a@']],
    ['ALCOVE_BACKUP_RETENTION', ['x'.repeat(101)]],
    ['ALCOVE_TRASH_RETENTION', ['30', 'forever', '0d']],
    ['ALCOVE_VERSION_RETENTION', ['30', 'forever', '0d', '00']],
    ['ALCOVE_MAX_ITEMS_FREE', ['0', '-1', '1.5', '200,000', 'many', '1000000000']],
    ['ALCOVE_MAX_ITEMS_PAID', ['0', '1e6']],
    ['ALCOVE_SESSION_TTL', ['7', '0d', '-1d', '1w', '1.5h', 'forever', '7 d']],
    ['ALCOVE_SESSION_MAX_AGE', ['90', '0d', '-1d', '1w', 'never']],
    ['ALCOVE_SEND_FILES', ['apache', 'APP']],
    ['ALCOVE_DAV_ORIGINS', ['app.example', 'https://app.example/', 'https://*', '*', 'null']],
    ['ALCOVE_TRUSTED_PROXIES', ['proxy.example', '10.0.0.0/33', '10.0.0.2/', '10.0.0', '10.0.0.0/8/8', 'true']],
    ['ALCOVE_RATE_LIMITS', ['yes', 'true', '0']],
    ['ALCOVE_LOG_FORMAT', ['pretty', 'JSON']],
    ['ALCOVE_LOG_LEVEL', ['verbose', 'INFO', '30', 'silent']],
    ['ALCOVE_METRICS_PORT', ['on', '70000', '-1']],
    ['ALCOVE_METRICS_TOKEN', ['short', 'sixteen or more letters']],
    ['STRIPE_SECRET_KEY', ['secret', 'pk_test_1', 'sk_1', 'sk_live_', 'sk_live_a b']],
    ['STRIPE_PUBLISHABLE_KEY', ['sk_test_1', 'pk_1', 'pk_test_']],
    ['STRIPE_WEBHOOK_SECRET', ['secret', 'whsec_', 'whsec_a b']],
  ])('throws an error of one line that names %s if its value is invalid', (name, values) => {
    for (const value of values) {
      const read = () => readConfig({ [name]: value })
      expect(read, value).toThrow(ConfigError)
      expect(read, value).toThrow(new RegExp(`^${name} must .*\\.$`))
    }
  })

  it('requires all S3 settings if one is set, and names the missing one', () => {
    const given: Record<string, string> = {
      ALCOVE_S3_ENDPOINT: 'http://s3.example',
      ALCOVE_S3_BUCKET: 'bytes',
      ALCOVE_S3_REGION: 'us-east-1',
      ALCOVE_S3_ACCESS_KEY_ID: 'id',
      ALCOVE_S3_SECRET_ACCESS_KEY: 'key',
    }
    expect(readConfig(given).s3?.bucket).toBe('bytes')
    for (const name of Object.keys(given)) {
      const read = () => readConfig({ ...given, [name]: '' })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(new RegExp(`^${name} is missing: `))
    }
  })

  it.each([
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, /^STRIPE_PUBLISHABLE_KEY is missing/],
    [{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /^STRIPE_WEBHOOK_SECRET is missing/],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /^STRIPE_SECRET_KEY is missing/],
    [
      { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
      /^STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must be of the same mode/,
    ],
  ])('rejects Stripe keys that are incomplete or of different modes: %j', (given, line) => {
    const read = () => readConfig(given)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(line)
  })
})

describe('providers in the environment', () => {
  const given = { ALCOVE_OIDC_IDP_ISSUER: 'https://id.example', ALCOVE_OIDC_IDP_CLIENT_ID: 'alcove' }

  it.each([
    [{ ALCOVE_OIDC_IDP_ISSUER: '' }, /^ALCOVE_OIDC_IDP_ISSUER is missing\.$/],
    [{ ALCOVE_OIDC_IDP_CLIENT_ID: '' }, /^ALCOVE_OIDC_IDP_CLIENT_ID is missing\.$/],
    [{ ALCOVE_OIDC_IDP_ISSUER: 'http://id.example' }, /^ALCOVE_OIDC_IDP_ISSUER must be the https:/],
    [{ ALCOVE_OIDC_IDP_ISSUER: 'id.example' }, /^ALCOVE_OIDC_IDP_ISSUER must be the https:/],
    [{ ALCOVE_OIDC_IDP_SCOPES: 'profile' }, /^ALCOVE_OIDC_IDP_SCOPES must contain openid\.$/],
    [{ ALCOVE_OIDC_IDP_NEW_ACCOUNTS: 'all' }, /^ALCOVE_OIDC_IDP_NEW_ACCOUNTS must be everyone, invited or nobody\.$/],
    [{ ALCOVE_OIDC_IDP_DOMAINS: '@example.com' }, /^ALCOVE_OIDC_IDP_DOMAINS must be a list of domains/],
    [{ ALCOVE_OIDC_IDP_TRUST_EMAIL: 'yes' }, /^ALCOVE_OIDC_IDP_TRUST_EMAIL must be on or off\.$/],
    [{ ALCOVE_OIDC_IDP_CLINET_ID: 'x' }, /^ALCOVE_OIDC_IDP_CLINET_ID is not a setting\. A provider has/],
    [{ ALCOVE_SIGN_IN_STRAIGHT_TO: 'google' }, /^ALCOVE_SIGN_IN_STRAIGHT_TO names google, which no/],
  ])('rejects %j with a line that names the variable', (wrong, line) => {
    const read = () => readConfig({ ...given, ...wrong })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(line)
  })

  it('accepts several providers, and an unencrypted one on this machine', () => {
    const { oidcProviders } = readConfig({
      ...given,
      ALCOVE_OIDC_LOCAL_ISSUER: 'http://localhost:9000',
      ALCOVE_OIDC_LOCAL_CLIENT_ID: 'alcove',
    })
    expect(oidcProviders.map(({ name }) => name)).toEqual(['idp', 'local'])
  })
})

describe('isLoopback', () => {
  it.each([
    'http://localhost:5100',
    'http://127.0.0.1',
    'http://127.1.2.3:80',
    'http://[::1]:5100',
    'http://a.localhost',
  ])('returns true for %s', (url) => expect(isLoopback(url)).toBe(true))
  it.each(['https://alcove.example', 'http://192.168.0.1', 'http://localhost.example', 'http://127.evil.example'])(
    'returns false for %s',
    (url) => expect(isLoopback(url)).toBe(false),
  )
})

import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isDomain, type SignUpMode, signUpModes } from '@alcove/contract/sign-up-modes'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import { z } from 'zod'
import { isOidcSetting, readOidcProviders } from './oidc-settings.ts'

/** All settings of the operator. Only this file and `settings/` read the environment. */
export interface Config {
  port: number
  host: string
  /** The origin without a trailing slash, for mails, links and redirects. */
  publicUrl: string
  dataDir: string
  /** `postgres://…`, or undefined for SQLite in the data directory. */
  databaseUrl: string | undefined
  /** Signs sessions and links. If undefined, the server generates one and keeps it in the data directory. */
  secret: string | undefined
  /** Where the bytes are stored; in the data directory if undefined. */
  s3: S3Settings | undefined
  /** `redis://…`, with which several servers share their rate limits. If undefined, each server counts alone. */
  redisUrl: string | undefined
  smtpUrl: string | undefined
  /** Who can register, until an administrator changes it. */
  signUp: { readonly mode: SignUpMode; readonly domains: readonly string[] }
  /** Whether there are plans and prices, until an administrator changes it. */
  plans: boolean
  /**
   * The keys of the payment provider. If undefined, payments use the sandbox if the public address is this machine, else they
   * are off.
   */
  stripe: StripeKeys | undefined
  supportEmail: string
  /** The retention of backups in the privacy policy. */
  backupRetention: string
  /** The folder for backups that administrators start. If undefined, only commands make backups. */
  backupDir: string | undefined
  /** How long an unused session lives, in milliseconds. */
  sessionTtl: number
  /** The maximum age of a session in use, in milliseconds. */
  sessionMaxAge: number
  /** How long items stay in the trash before they are deleted, in milliseconds. */
  trashRetention: number
  /** How long earlier versions of files are kept. 0 if none are. */
  versionRetention: number
  /** The maximum number of files and folders in an account, by plan. */
  maxItems: MaxItems
  /** Who sends the bytes of downloads: this process, or nginx in front of it. */
  sendFiles: 'app' | 'nginx'
  /** Trusted reverse proxies besides this machine: addresses and CIDR ranges. */
  trustedProxies: readonly string[]
  rateLimits: boolean
  /** The origins of pages that may use WebDAV in a browser. */
  davOrigins: readonly string[]
  /** The command that scans each file that a visitor sends; none if undefined. The path of the file is added to it. */
  scanCommand: string | undefined
  log: LogSettings
  /** The port of the metrics, on localhost only; not served if undefined. */
  metricsPort: number | undefined
  /** The bearer token for `/metrics`; not served if undefined. */
  metricsToken: string | undefined
  /** The folders in which optional programs are looked up: the `PATH`. */
  programPath: string
  /** The OpenID Connect providers of the environment. Administrators can add others. */
  oidcProviders: readonly ConfiguredProvider[]
  /** Whether users can sign in with passwords and passkeys. Administrators always can. */
  passwordSignIn: boolean
  /** The name of the provider to which the sign-in page leads at once. */
  signInStraightTo: string | undefined
}

export interface LogSettings {
  /** If undefined, text on a terminal and JSON elsewhere. */
  readonly format: 'text' | 'json' | undefined
  readonly level: 'error' | 'warn' | 'info' | 'debug'
}

export interface MaxItems {
  readonly free: number
  readonly paid: number
}

export interface S3Settings {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface StripeKeys {
  readonly secretKey: string
  /** For browsers. */
  readonly publishableKey: string
  /** Verifies the signature of Stripe's webhooks. */
  readonly webhookSecret: string
}

export class ConfigError extends Error {}

const DURATION_UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const duration = z
  .string()
  .regex(/^[1-9]\d*[smhd]$/, 'must be a number and a unit, like 15m, 12h or 7d')
  .transform(toMilliseconds)

function toMilliseconds(text: string): number {
  return Number(text.slice(0, -1)) * DURATION_UNITS[text.at(-1) as keyof typeof DURATION_UNITS]
}

function url(protocols: readonly string[]) {
  const expected = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), expected)
}

/** Returns whether a text is an IP address or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Returns whether a text is an origin as browsers send it, of a page (`https://example.com`) or an app (`app://obsidian.md`). */
function isOrigin(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/.test(text)
}

const portNumber = z
  .string()
  .regex(/^\d+$/, 'must be a port number')
  .transform(Number)
  .pipe(z.int().max(65_535, 'must be a port number'))

const itemCount = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999')
  .transform(Number)

const variables = z.object({
  PORT: portNumber,
  HOST: z.string().min(1),
  ALCOVE_PUBLIC_URL: url(['http:', 'https:']).transform((text) => new URL(text).origin),
  ALCOVE_DATA_DIR: z.string().transform((path) => resolve(path)),
  ALCOVE_DATABASE_URL: url(['postgres:', 'postgresql:']),
  ALCOVE_SECRET: z.string().min(16, 'must have at least 16 characters'),
  ALCOVE_S3_ENDPOINT: url(['http:', 'https:']),
  ALCOVE_S3_BUCKET: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  ALCOVE_S3_REGION: z.string().regex(/^[\w-]+$/, 'must be the name of a region, like us-east-1'),
  ALCOVE_S3_ACCESS_KEY_ID: z.string().regex(/^\S+$/, 'must not contain spaces'),
  ALCOVE_S3_SECRET_ACCESS_KEY: z.string().regex(/^\S+$/, 'must not contain spaces'),
  ALCOVE_REDIS_URL: url(['redis:', 'rediss:']),
  ALCOVE_SMTP_URL: url(['smtp:', 'smtps:']),
  ALCOVE_SIGN_UP: z.enum(signUpModes, `must be ${signUpModes.slice(0, -1).join(', ')} or ${signUpModes.at(-1)}`),
  ALCOVE_SIGN_UP_DOMAINS: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((part) => part !== ''),
    )
    .refine((parts) => parts.every(isDomain), 'must be a list of domains, like example.com, example.org'),
  ALCOVE_PLANS: z.enum(['on', 'off'], 'must be on or off'),
  ALCOVE_SUPPORT_EMAIL: z.string().regex(/^\S+@\S+$/, 'must be an email address'),
  ALCOVE_BACKUP_DIR: z.string().transform((path) => resolve(path)),
  ALCOVE_BACKUP_RETENTION: z.string().max(100, 'must have at most 100 characters'),
  ALCOVE_SESSION_TTL: duration,
  ALCOVE_SESSION_MAX_AGE: duration,
  ALCOVE_TRASH_RETENTION: duration,
  ALCOVE_VERSION_RETENTION: z
    .string()
    .regex(/^(0|[1-9]\d*[smhd])$/, 'must be 0, or a number and a unit, like 365d')
    .transform((text) => (text === '0' ? 0 : toMilliseconds(text))),
  ALCOVE_MAX_ITEMS_FREE: itemCount,
  ALCOVE_MAX_ITEMS_PAID: itemCount,
  ALCOVE_SEND_FILES: z.enum(['app', 'nginx'], 'must be app or nginx'),
  ALCOVE_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .refine((parts) => parts.every(isNetwork), 'must be a list of addresses or networks, like 10.0.0.2, 10.1.0.0/16'),
  ALCOVE_DAV_ORIGINS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .refine((parts) => parts.every(isOrigin), 'must be a list of origins, like https://app.example.com'),
  ALCOVE_SCAN_COMMAND: z.string().max(1000, 'must have at most 1000 characters'),
  ALCOVE_LOG_FORMAT: z.enum(['text', 'json'], 'must be text or json'),
  ALCOVE_LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug'], 'must be error, warn, info or debug'),
  ALCOVE_METRICS_PORT: portNumber,
  ALCOVE_METRICS_TOKEN: z.string().regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters and no spaces'),
  ALCOVE_RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off'),
  STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_(live|test)_\w+$/, 'must start with sk_live_ or sk_test_'),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_(live|test)_\w+$/, 'must start with pk_live_ or pk_test_'),
  STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_\S+$/, 'must start with whsec_'),
  ALCOVE_PASSWORD_SIGN_IN: z.enum(['on', 'off'], 'must be on or off'),
  ALCOVE_SIGN_IN_STRAIGHT_TO: z.string().toLowerCase(),
  PATH: z.string(),
})

/** The names of all variables that are read, those of sign-in providers aside. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(variables.shape))

/** Returns whether a variable is read. */
export function isSettingName(name: string): boolean {
  return settingNames.has(name) || isOidcSetting(name)
}

/** Reads and checks the settings. Throws a `ConfigError` with one line that names the variable if a value is invalid. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // An empty variable counts as unset, as in compose files and shells.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = variables.partial().safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    const message = issue?.code === 'invalid_type' ? 'is missing' : issue?.message
    throw new ConfigError(`${String(issue?.path[0])} ${message}.`)
  }
  const read = result.data
  const port = read.PORT ?? 5100
  return {
    port,
    host: read.HOST ?? '127.0.0.1',
    publicUrl: read.ALCOVE_PUBLIC_URL ?? `http://localhost:${port}`,
    dataDir: read.ALCOVE_DATA_DIR ?? resolve('data'),
    databaseUrl: read.ALCOVE_DATABASE_URL,
    secret: read.ALCOVE_SECRET,
    s3: readS3Settings(read),
    redisUrl: read.ALCOVE_REDIS_URL,
    smtpUrl: read.ALCOVE_SMTP_URL,
    signUp: readSignUp(read),
    plans: read.ALCOVE_PLANS !== 'off',
    stripe: readStripeKeys(read),
    supportEmail: read.ALCOVE_SUPPORT_EMAIL ?? 'support@localhost',
    backupDir: read.ALCOVE_BACKUP_DIR,
    backupRetention: read.ALCOVE_BACKUP_RETENTION ?? '',
    sessionTtl: read.ALCOVE_SESSION_TTL ?? 7 * DURATION_UNITS.d,
    sessionMaxAge: read.ALCOVE_SESSION_MAX_AGE ?? 90 * DURATION_UNITS.d,
    trashRetention: read.ALCOVE_TRASH_RETENTION ?? 30 * DURATION_UNITS.d,
    versionRetention: read.ALCOVE_VERSION_RETENTION ?? 365 * DURATION_UNITS.d,
    maxItems: { free: read.ALCOVE_MAX_ITEMS_FREE ?? 200_000, paid: read.ALCOVE_MAX_ITEMS_PAID ?? 1_000_000 },
    sendFiles: read.ALCOVE_SEND_FILES ?? 'app',
    trustedProxies: read.ALCOVE_TRUSTED_PROXIES ?? [],
    rateLimits: read.ALCOVE_RATE_LIMITS !== 'off',
    davOrigins: read.ALCOVE_DAV_ORIGINS ?? [],
    scanCommand: read.ALCOVE_SCAN_COMMAND,
    log: { format: read.ALCOVE_LOG_FORMAT, level: read.ALCOVE_LOG_LEVEL ?? 'info' },
    metricsPort: read.ALCOVE_METRICS_PORT,
    metricsToken: read.ALCOVE_METRICS_TOKEN,
    programPath: read.PATH ?? '',
    ...readSignInSettings(read, given),
  }
}

function readSignInSettings(
  { ALCOVE_PASSWORD_SIGN_IN, ALCOVE_SIGN_IN_STRAIGHT_TO: straightTo }: Partial<z.infer<typeof variables>>,
  given: Record<string, string | undefined>,
): Pick<Config, 'oidcProviders' | 'passwordSignIn' | 'signInStraightTo'> {
  const oidcProviders = readOidcProviders(given, (line) => {
    throw new ConfigError(line)
  })
  const passwordSignIn = ALCOVE_PASSWORD_SIGN_IN !== 'off'
  if (straightTo !== undefined && !oidcProviders.some(({ name }) => name === straightTo)) {
    throw new ConfigError(`ALCOVE_SIGN_IN_STRAIGHT_TO names ${straightTo}, which no ALCOVE_OIDC_… setting describes.`)
  }
  return { oidcProviders, passwordSignIn, signInStraightTo: straightTo }
}

/** Reads all S3 settings or none. With only some of them, bytes would be stored where nobody expects them. */
function readS3Settings(read: Partial<z.infer<typeof variables>>): S3Settings | undefined {
  const given = {
    ALCOVE_S3_ENDPOINT: read.ALCOVE_S3_ENDPOINT,
    ALCOVE_S3_BUCKET: read.ALCOVE_S3_BUCKET,
    ALCOVE_S3_REGION: read.ALCOVE_S3_REGION,
    ALCOVE_S3_ACCESS_KEY_ID: read.ALCOVE_S3_ACCESS_KEY_ID,
    ALCOVE_S3_SECRET_ACCESS_KEY: read.ALCOVE_S3_SECRET_ACCESS_KEY,
  }
  if (Object.values(given).every((value) => value === undefined)) return undefined
  const missing = Object.entries(given).find(([, value]) => value === undefined)?.[0]
  if (missing !== undefined) {
    throw new ConfigError(
      `${missing} is missing: an S3 store needs its endpoint, bucket, region, key id and secret key.`,
    )
  }
  return {
    endpoint: given.ALCOVE_S3_ENDPOINT as string,
    bucket: given.ALCOVE_S3_BUCKET as string,
    region: given.ALCOVE_S3_REGION as string,
    accessKeyId: given.ALCOVE_S3_ACCESS_KEY_ID as string,
    secretAccessKey: given.ALCOVE_S3_SECRET_ACCESS_KEY as string,
  }
}

/** Without a domain, nobody could register in the mode `domain`. */
function readSignUp(read: Partial<z.infer<typeof variables>>): Config['signUp'] {
  const { ALCOVE_SIGN_UP: mode = 'open', ALCOVE_SIGN_UP_DOMAINS: domains = [] } = read
  if (mode === 'domain' && domains.length === 0) {
    throw new ConfigError('ALCOVE_SIGN_UP_DOMAINS is missing: list the domains whose addresses can register.')
  }
  return { mode, domains }
}

/** Reads all Stripe keys or none. With only some of them, payments would work only in part. */
function readStripeKeys(read: Partial<z.infer<typeof variables>>): StripeKeys | undefined {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = read
  if (!STRIPE_SECRET_KEY && !STRIPE_PUBLISHABLE_KEY && !STRIPE_WEBHOOK_SECRET) return undefined
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_WEBHOOK_SECRET) {
    const keys = { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET }
    const missing = Object.entries(keys).find(([, value]) => !value)?.[0]
    throw new ConfigError(`${missing} is missing: Stripe needs its secret key, publishable key and webhook secret.`)
  }
  if (STRIPE_SECRET_KEY.includes('_test_') !== STRIPE_PUBLISHABLE_KEY.includes('_test_')) {
    throw new ConfigError('STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must be of the same mode, live or test.')
  }
  return {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
  }
}

/** Returns whether the public address is this machine, where conveniences such as the outbox page are safe. */
export function isLoopback(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  )
}

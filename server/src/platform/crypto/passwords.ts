import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { passwordRules } from '@alcove/contract/credentials'

// OWASP's first recommendation for Argon2id: 19 MiB, 2 passes, 1 lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The library has native code, which the start doesn't need. */
const loadArgon2 = () => import('@node-rs/argon2')

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await loadArgon2()
  return hash(password.normalize('NFKC'), OPTIONS)
}

/** What begins the hash of an account without a password. */
export const NO_PASSWORD = 'none '

/**
 * Returns what an account without a password has in place of a hash. No password matches it, and it differs each time, so that a
 * session can't outlive a change.
 */
export function createNoPassword(): string {
  return NO_PASSWORD + randomBytes(16).toString('base64url')
}

export function hasPassword(passwordHash: string): boolean {
  return !passwordHash.startsWith(NO_PASSWORD)
}

let decoy: Promise<string> | undefined

/**
 * Checks a password. Without a hash, for an unknown address, it takes as long as with one, so that the response time doesn't
 * reveal who has an account.
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const isReal = passwordHash !== undefined && hasPassword(passwordHash)
  const { verify } = await loadArgon2()
  const fits = await verify(isReal ? passwordHash : await decoy, password.normalize('NFKC'))
  return fits && isReal
}

const require = createRequire(import.meta.url)

let loading: Promise<ReadonlySet<string>> | undefined

/**
 * Returns whether a password is one of the most common, ignoring case. The list is read when the first password is chosen, so
 * that it doesn't slow down the start.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= loadList().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return (await loading).has(password.toLowerCase())
}

/** Reads the list and keeps the few passwords that meet the rules: all others are refused anyway. */
async function loadList(): Promise<ReadonlySet<string>> {
  const path = require.resolve('@zxcvbn-ts/language-common/src/passwords.json')
  const all = JSON.parse(await readFile(path, 'utf8')) as string[]
  return new Set(all.map((password) => password.toLowerCase()).filter(canMeetRules))
}

function canMeetRules(password: string): boolean {
  const upper = password.toUpperCase()
  return passwordRules.every((rule) => rule.isMet(password) || rule.isMet(upper))
}

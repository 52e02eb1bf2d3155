import { randomUUID } from 'node:crypto'
import { LOGIN_FLOW_TTL } from '@alcove/contract/limits'
import { z } from 'zod'
import { hashOneTimeToken } from '../../../platform/crypto/one-time-token.ts'
import { openText, sealText } from '../../../platform/crypto/secrets.ts'

/** A client that waits for the user's answer. */
export interface LoginFlow {
  /** The hash of the token with which the client polls. Of a client that doesn't poll, a random value. */
  hash: string
  /** Whether the client polls (flow v2), or waits for the browser to open an address of its own scheme (flow v1). */
  polls: boolean
  app: string
  ip: string
  startedAt: number
}

const PURPOSE = 'login flow'
const schema = z.tuple([z.string(), z.boolean(), z.string(), z.string(), z.number()])

/**
 * Returns the token in the address of the page that asks the user. It contains the flow, encrypted: a start writes nothing, so
 * however many there are, they fill no table.
 */
export function sealLoginFlow(key: Uint8Array, { hash, polls, app, ip, startedAt }: LoginFlow): string {
  return sealText(key, JSON.stringify([hash, polls, app, ip, startedAt]), PURPOSE)
}

/** Returns the flow of a token, or undefined if we never made that token or it has expired. */
export function openLoginFlow(key: Uint8Array, token: string, now: number): LoginFlow | undefined {
  try {
    const [hash, polls, app, ip, startedAt] = schema.parse(JSON.parse(openText(key, token, PURPOSE)))
    return now < expiryOf({ startedAt }) ? { hash, polls, app, ip, startedAt } : undefined
  } catch {
    return undefined
  }
}

export function expiryOf({ startedAt }: Pick<LoginFlow, 'startedAt'>): number {
  return startedAt + LOGIN_FLOW_TTL
}

/** Returns the value that identifies a flow in the database. */
export function flowHash(pollToken: string | undefined): string {
  return hashOneTimeToken(pollToken ?? randomUUID())
}

const secretPurpose = (hash: string) => `app password of login flow ${hash}`

/** Encrypts the app password until the client fetches it. */
export function sealSecret(key: Uint8Array, hash: string, secret: string): string {
  return sealText(key, secret, secretPurpose(hash))
}

export function openSecret(key: Uint8Array, hash: string, sealed: string): string {
  return openText(key, sealed, secretPurpose(hash))
}

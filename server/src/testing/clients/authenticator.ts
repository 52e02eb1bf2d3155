import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@alcove/contract/webauthn'

const FLAGS = { present: 0x01, verified: 0x04, canBeSynced: 0x08, isSynced: 0x10, newCredential: 0x40 }

/** Errors that a browser and an authenticator can be made to make. */
export interface Deviation {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string | null
}

/** An authenticator with one passkey, and its browser. Its responses are those of real ones. */
export class Authenticator {
  readonly credentialId = randomBytes(16).toString('base64url')
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  readonly #origin: string
  readonly #isSynced: boolean
  #rpId = ''
  #userHandle = ''
  counter = 0

  constructor(origin: string, { isSynced = false } = {}) {
    this.#origin = origin
    this.#isSynced = isSynced
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** Creates the passkey. */
  create(options: PasskeyCreationOptions, deviation: Deviation = {}): PasskeyAttestation {
    this.#rpId = options.rp.id
    this.#userHandle = options.user.id
    const attested = Buffer.concat([
      Buffer.alloc(16),
      uint16(this.#id.length),
      this.#id,
      encodeCbor(coseKey(this.#keys.publicKey)),
    ])
    const authData = Buffer.concat([this.#authData(FLAGS.newCredential, deviation), attested])
    const attestation = new Map<string, CborValue>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      ...this.#credential,
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
        attestationObject: encodeCbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Signs a challenge with the passkey. */
  get(options: PasskeyRequestOptions, deviation: Deviation = {}): PasskeyAssertion {
    const authData = this.#authData(0, deviation)
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return {
      ...this.#credential,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: deviation.userHandle === undefined ? this.#userHandle : deviation.userHandle,
      },
    }
  }

  get #id(): Buffer {
    return Buffer.from(this.credentialId, 'base64url')
  }

  get #credential() {
    return { id: this.credentialId, rawId: this.credentialId, type: 'public-key' as const }
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const origin = deviation.origin ?? this.#origin
    return Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    )
  }

  #authData(flags: number, { rpId = this.#rpId, isVerified = true, counter = this.counter }: Deviation): Buffer {
    const synced = this.#isSynced ? FLAGS.canBeSynced | FLAGS.isSynced : 0
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags | synced | FLAGS.present | (isVerified ? FLAGS.verified : 0)]),
      uint32(counter),
    ])
  }
}

/** Returns an ES256 key as a COSE map (RFC 9053). */
function coseKey(publicKey: KeyObject): Map<number, CborValue> {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return new Map<number, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
}

type CborValue = number | string | Buffer | Map<number | string, CborValue>

/** Encodes a value as CBOR (RFC 8949), as far as it is needed here. */
function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) {
    const parts = [...value].flatMap(([key, part]) => [encodeCbor(key), encodeCbor(part)])
    return Buffer.concat([cborHead(5, value.size), ...parts])
  }
  return Buffer.concat([cborHead(2, value.length), value])
}

function cborHead(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length])
  return length < 256
    ? Buffer.from([(type << 5) | 24, length])
    : Buffer.concat([Buffer.from([(type << 5) | 25]), uint16(length)])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

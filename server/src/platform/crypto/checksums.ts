import { hash } from 'node:crypto'
import { AppError } from '../../errors.ts'

/** The digests of some bytes, in lower-case hexadecimal. */
export interface Digests {
  sha256: string
  sha1: string
  md5: string
}

/** Digests by which a client recognizes its bytes. */
export type Checksums = Partial<Digests>

/** The names in `OC-Checksum`, and the length of each digest in hexadecimal. */
const kinds: Readonly<Record<string, { name: keyof Digests; length: number }>> = {
  SHA256: { name: 'sha256', length: 64 },
  SHA1: { name: 'sha1', length: 40 },
  MD5: { name: 'md5', length: 32 },
}

/**
 * Parses an `OC-Checksum` header: one or more of `SHA1:…`, `MD5:…` and `SHA256:…` in any case, separated by spaces. Ignores kinds
 * that it doesn't know. Throws 'malformed' if a digest isn't hexadecimal or doesn't have the length of its kind.
 */
export function parseChecksums(header: string | undefined): Checksums {
  const checksums: Checksums = {}
  for (const word of header?.split(/\s+/) ?? []) {
    if (word === '') continue
    const [kind = '', digest] = word.split(':', 2)
    if (digest === undefined) throw malformed()
    const known = kinds[kind.toUpperCase().replace('-', '')]
    if (!known) continue
    if (digest.length !== known.length || !/^[0-9a-f]+$/i.test(digest)) throw malformed()
    checksums[known.name] = digest.toLowerCase()
  }
  return checksums
}

function malformed(): AppError {
  return new AppError(
    'malformed',
    'The checksum must be "SHA1:", "MD5:" or "SHA256:" followed by the digest in hexadecimal.',
  )
}

/** Throws 'malformed' if bytes are not those that the client has sent. */
export function assertIntact(checksums: Checksums, digests: Digests): void {
  for (const name of ['sha256', 'sha1', 'md5'] as const) {
    const expected = checksums[name]
    if (expected !== undefined && expected !== digests[name]) {
      throw new AppError(
        'malformed',
        'The bytes of the file arrived damaged: the checksum differs. Send the file again.',
      )
    }
  }
}

/** Computes the digests of a few bytes. */
export function digestBytes(bytes: Uint8Array): Digests {
  return { sha256: hash('sha256', bytes), sha1: hash('sha1', bytes), md5: hash('md5', bytes) }
}

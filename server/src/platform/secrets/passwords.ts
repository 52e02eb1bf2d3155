import { hash, verify } from '@node-rs/argon2'

// OWASP's first recommendation for Argon2id: 19 MiB, 2 passes, 1 lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), OPTIONS)
}

let decoy: Promise<string> | undefined

/**
 * Whether a password fits. Without a hash, since nobody has that address, it takes as long as with one, so that the
 * time of the response does not tell who has an account.
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const fits = await verify(passwordHash ?? (await decoy), password.normalize('NFKC'))
  return fits && passwordHash !== undefined
}

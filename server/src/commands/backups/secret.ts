import { createHash } from 'node:crypto'
import type { Config } from '../../config.ts'
import { readOrCreateSecret } from '../../platform/secrets/secrets.ts'

/** The secret in use, wherever it comes from. */
export async function readSecret(config: Config): Promise<string> {
  return config.secret ?? (await readOrCreateSecret(config.dataDir))
}

export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

import type { Services } from '../../../context.ts'
import { isSignatureOf, signParts } from '../../../platform/crypto/secrets.ts'

const purposeOf = (id: string) => ['invitation', id]

/**
 * Returns the link of an invitation. It is signed and not stored, so that administrators can see it again; it works as long as the row
 * exists. Behind the `#`, it stays out of logs and of the addresses that browsers send to other sites.
 */
export function invitationUrl({ config, secrets }: Pick<Services, 'config' | 'secrets'>, id: string): string {
  return `${config.publicUrl}/invitation#${id}.${signParts(secrets.invitationKey, purposeOf(id))}`
}

/** Returns the id of the invitation to which a token belongs, or undefined for any other text. */
export function readInvitationToken({ secrets }: Pick<Services, 'secrets'>, token: string): string | undefined {
  const [id = '', signature = ''] = token.split('.')
  return isSignatureOf(secrets.invitationKey, purposeOf(id), signature) ? id : undefined
}

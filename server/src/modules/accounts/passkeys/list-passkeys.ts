import type { listPasskeys as call } from '@alcove/contract/passkeys'
import type { Operation } from '../../../platform/http/api.ts'
import { findRelyingParty } from '../../../platform/secrets/relying-party.ts'
import { listPasskeyRows, presentPasskey } from './passkeys.ts'

export const listPasskeys: Operation<typeof call> = async ({ db, user, config }) => {
  const party = findRelyingParty(config.publicUrl)
  const reason = 'reason' in party ? party.reason : null
  const passkeys = (await listPasskeyRows(db, user.id)).map(presentPasskey)
  return { available: reason === null, reason, passkeys }
}

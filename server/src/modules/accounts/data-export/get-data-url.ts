import type { getDataUrl as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'
import { signGrant } from '../../../platform/secrets/signed-url.ts'

export const getDataUrl: Operation<typeof call> = async ({ user, clock, config, secrets }) => {
  const { query } = signGrant(secrets.urlKey, 'account', { id: user.id, owner: user.id }, clock.now())
  return { url: `${config.publicUrl}/api/account/data?${query}` }
}

import type { getDataUrl as call } from '@alcove/contract/accounts'
import { DOWNLOAD_URL_TTL } from '@alcove/contract/limits'
import type { Operation } from '../../platform/http/api.ts'
import { signGrant } from '../../platform/secrets/signed-url.ts'

export const getDataUrl: Operation<typeof call> = async ({ user, clock, config, secrets }) => {
  const grant = { id: user.id, owner: user.id, expires: clock.now() + DOWNLOAD_URL_TTL }
  return { url: `${config.publicUrl}/api/account/data?${signGrant(secrets.urlKey, 'account', grant)}` }
}

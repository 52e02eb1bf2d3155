import type { renamePasskey as call } from '@alcove/contract/passkeys'
import type { Operation } from '../../../platform/http/api.ts'
import { passkeyNotFound, presentPasskey } from './passkeys.ts'

export const renamePasskey: Operation<typeof call> = async ({ db, user }, { id, name }) => {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw passkeyNotFound()
  return presentPasskey(row)
}

import { reauthenticate } from '@alcove/contract/reauthentication'
import { send } from '../../../api/api.ts'

/** Confirms this session with the password, and with a code where one was typed. */
export async function confirmWithPassword(password: string, code: string): Promise<void> {
  await send(reauthenticate, { password, code: code.trim() || undefined })
}

import type { getAccountStatus as call } from '@alcove/contract/accounts'
import type { Operation } from '../../../platform/http/api.ts'

export const getAccountStatus: Operation<typeof call> = async ({ user }) => ({ isActivated: user.isActivated })

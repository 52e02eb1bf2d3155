import {
  beginTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  loginWithCode,
  renewRecoveryCodes,
} from '@alcove/contract/two-factor'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'

export const twoFactorKey = ['accounts', 'two-factor']

export const useBeginTwoFactor = () => useCall(beginTwoFactor)
export const useEnableTwoFactor = () => useCall(enableTwoFactor)
export const useDisableTwoFactor = () => useCall(disableTwoFactor)
export const useRenewRecoveryCodes = () => useCall(renewRecoveryCodes)
export const useLoginWithCode = () => useCall(loginWithCode)

export function useTwoFactor() {
  return useQuery({ queryKey: twoFactorKey, queryFn: ({ signal }) => send(getTwoFactor, {}, { signal }) })
}

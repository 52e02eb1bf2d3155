import { listPasskeys } from '@alcove/contract/passkeys'
import { getTwoFactor } from '@alcove/contract/two-factor'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'

export const twoFactorKey = ['accounts', 'two-factor']

export function useTwoFactor() {
  return useQuery({ queryKey: twoFactorKey, queryFn: ({ signal }) => send(getTwoFactor, {}, { signal }) })
}

export const passkeysKey = ['accounts', 'passkeys']

export function usePasskeys() {
  return useQuery({ queryKey: passkeysKey, queryFn: ({ signal }) => send(listPasskeys, {}, { signal }) })
}

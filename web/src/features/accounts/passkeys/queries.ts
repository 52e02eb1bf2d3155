import { listPasskeys, removePasskey, renamePasskey } from '@alcove/contract/passkeys'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'

export const passkeysKey = ['accounts', 'passkeys']

export const useRenamePasskey = () => useCall(renamePasskey)
export const useRemovePasskey = () => useCall(removePasskey)

export function usePasskeys() {
  return useQuery({ queryKey: passkeysKey, queryFn: ({ signal }) => send(listPasskeys, {}, { signal }) })
}

import { listAppPasswords } from '@alcove/contract/app-passwords'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'

export const appPasswordsKey = ['accounts', 'app-passwords']

export function useAppPasswords() {
  return useQuery({
    queryKey: appPasswordsKey,
    queryFn: async ({ signal }) => (await send(listAppPasswords, {}, { signal })).appPasswords,
  })
}

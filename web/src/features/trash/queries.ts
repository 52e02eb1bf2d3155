import type { OutputOf } from '@alcove/contract/call'
import { listTrash } from '@alcove/contract/trash'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

export type Trash = OutputOf<typeof listTrash>

export function useTrash() {
  return useQuery({ queryKey: queryKeys.trash, queryFn: ({ signal }) => send(listTrash, {}, { signal }) })
}

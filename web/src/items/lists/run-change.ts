import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'

export interface Change<Answer> {
  /** What the change touches: fetched anew when it is over. */
  readonly touches: readonly QueryKey[]
  /** Shows the change before the server has answered; gives how to take it back. */
  readonly show?: () => () => void
  readonly call: () => Promise<Answer>
  /** Shows what the server answered, until it has been fetched. */
  readonly onDone?: (response: Answer) => void
}

let underWay = 0
const stale = new Map<string, QueryKey>()

/**
 * Makes a change that is seen at once, and taken back when the server refuses it. What it touches is fetched anew when
 * no other change is on its way: a response from in between would bring back for a moment what the user has just removed.
 */
export async function runChange<Answer>(
  queryClient: QueryClient,
  { touches, show, call, onDone }: Change<Answer>,
): Promise<Answer> {
  underWay += 1
  for (const key of touches) stale.set(JSON.stringify(key), key)
  await Promise.all(touches.map((queryKey) => queryClient.cancelQueries({ queryKey })))
  const takeBack = show?.()
  try {
    const response = await call()
    onDone?.(response)
    return response
  } catch (error) {
    takeBack?.()
    throw error
  } finally {
    underWay -= 1
    if (underWay === 0) {
      const keys = [...stale.values()]
      stale.clear()
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
      // Lists show how many items are in their folders: those that are not on screen are fetched when they are.
      void queryClient.invalidateQueries({ queryKey: queryKeys.folders, type: 'inactive', refetchType: 'none' })
    }
  }
}

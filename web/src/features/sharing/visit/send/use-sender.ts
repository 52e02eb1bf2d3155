import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from '../../../../lib/store.ts'
import type { Visit } from '../link-address.ts'
import { type Sender, senderFor } from './sender.ts'

/** Returns the sender of a link, with what a reload has interrupted. Reads the link again once it refuses the visitor. */
export function useSender(visit: Visit): Sender {
  const { token, access } = visit
  const sender = senderFor(visit)
  const queryClient = useQueryClient()
  const refusals = useStore(sender.refusals)
  useEffect(() => sender.open(access), [sender, access])
  useEffect(() => {
    if (refusals > 0) void queryClient.invalidateQueries({ queryKey: ['public', token] })
  }, [refusals, queryClient, token])
  return sender
}

import type { Endpoint } from '../../platform/http/api.ts'
import { streamEvents } from './stream-events.ts'

export { endRevokedStreams, pollChanges, sendHeartbeats } from './stream-events.ts'

export const eventEndpoints: readonly Endpoint[] = [streamEvents]

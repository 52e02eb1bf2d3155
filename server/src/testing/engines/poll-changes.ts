import type { Services } from '../../context.ts'
import { endRevokedStreams, pollChanges } from '../../modules/events/index.ts'

/**
 * Publishes changes to the open event streams, and then every second, and ends those that may not go on, as the schedule of a server
 * does. Returns a function that stops it, once the streams have the current state: of two changes that undo each other, the next
 * publication would tell nothing.
 */
export async function pollEverySecond(services: Services): Promise<() => void> {
  await pollChanges(services)
  const stop = () => clearInterval(polling)
  // If a test has failed, the server may be closed before the polling has stopped.
  const polling = setInterval(() => void lookOnce(services).catch(stop), 1_000)
  return stop
}

async function lookOnce(services: Services): Promise<void> {
  await pollChanges(services)
  await endRevokedStreams(services)
}

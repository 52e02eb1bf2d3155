import type { Connection } from '../../api/connection.ts'
import { createRequestSlots, type RequestSlots } from '../transport/request-slots.ts'
import { createSmallFileSender, type SmallFileSender } from '../transport/small-file-sender.ts'
import type { UploadTransport } from '../transport/upload-transport.ts'

/** The outside world of the uploader; tests give another. */
export interface UploadEnvironment {
  readonly transport: UploadTransport
  readonly connection: Connection
  readonly slots: RequestSlots
  readonly smallFiles: SmallFileSender
  /** The first wait between two tries, in milliseconds. */
  readonly firstDelay?: number
}

/** One for all uploads of a page, so that they share their requests. */
export function createUploadEnvironment(
  given: Pick<UploadEnvironment, 'transport' | 'connection' | 'firstDelay'>,
): UploadEnvironment {
  const slots = createRequestSlots()
  return { ...given, slots, smallFiles: createSmallFileSender(given.transport, slots) }
}

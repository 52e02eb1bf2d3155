import type { Services } from '../../../context.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import type { StreamResponse } from '../../../platform/http/bytes-response.ts'
import { streamZip } from '../../../platform/zip/stream-zip.ts'
import { listZipEntries, type ZippedRow } from './zip-entries.ts'

/** A folder with all that is visible in it as a ZIP, made while it is sent: nothing is copied or held. */
export async function zipFolder(services: Services, folder: ItemRow): Promise<StreamResponse> {
  return zipItems(services, folder.name, async function* () {
    yield [folder]
  })
}

/** The same for items from anywhere, told apart where they have the same name; `listRows` brings them some at a time. */
export function zipItems(
  services: Services,
  name: string,
  listRows: () => AsyncIterable<readonly ZippedRow[]>,
  options: { areSiblings?: boolean } = {},
): StreamResponse {
  return {
    kind: 'stream',
    filename: `${name}.zip`,
    mimeType: 'application/zip',
    isLimited: true,
    open: () => streamZip(listZipEntries(services, listRows(), options)),
  }
}

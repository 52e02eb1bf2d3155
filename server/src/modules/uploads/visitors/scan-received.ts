import { z } from 'zod'
import type { Services, UserContext } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { defineJob } from '../../../platform/jobs/define-job.ts'
import { scanContent } from '../../../platform/processes/scan-content.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { changeTree, hideInTrash, noteScattered } from '../../items/index.ts'
import { notify } from '../../notices/index.ts'

const scan = z.object({ ownerId: z.string(), itemId: z.string(), blobKey: z.string(), ip: z.string() })

/** Scans a file that a visitor has sent, and puts it into the owner's trash if something is found. */
export const scanReceivedJob = defineJob('scan received file', scan, scanReceived)

/** Queues the scan of a file in the transaction that creates it, if the operator has a scanner and a visitor sent it. */
export async function queueScan(ctx: UserContext, tx: Tx, { id, blob_key }: ItemRow): Promise<void> {
  if (!ctx.user.submission || ctx.config.scanCommand === undefined) return
  await ctx.jobs.enqueue(tx, scanReceivedJob, {
    ...{ ownerId: ctx.user.id, itemId: id, blobKey: blob_key as string, ip: ctx.ip },
  })
}

async function scanReceived(services: Services, { ownerId, itemId, blobKey, ip }: z.infer<typeof scan>): Promise<void> {
  const { config, blobs, log, clock } = services
  const command = config.scanCommand
  if (command === undefined || !(await isStillThere(services, blobKey))) return
  const report = await blobs.withContent(blobKey, (content) => scanContent(command, content, config.programPath))
  if (report === undefined) return
  logSecurity({ log, ip }, 'malware_received', { item: itemId })
  log.warn(
    { item: itemId, report },
    'the scanner found something in a file that a visitor sent: it was put into the trash',
  )
  // Copies that were made meanwhile share the bytes.
  await changeTree({ ...services, user: { id: ownerId } }, async (tx) => {
    const found = await tx
      .selectFrom('items')
      .select(['id', 'name', 'kind', 'area', 'parent_id'])
      .where('owner_id', '=', ownerId)
      .where('blob_key', '=', blobKey)
      .where('trash_id', 'is', null)
      .execute()
    const [first] = found
    if (!first) return
    const now = clock.now()
    await hideInTrash(tx, { id: ownerId }, found, now)
    noteScattered(tx, { id: ownerId }, { action: 'trashed', items: found, now })
    await notify(services, tx, ownerId, { kind: 'malware_received', data: { filename: first.name, report } })
  })
}

async function isStillThere({ db }: Services, key: string): Promise<boolean> {
  return (await db.selectFrom('blobs').select('key').where('key', '=', key).executeTakeFirst()) !== undefined
}

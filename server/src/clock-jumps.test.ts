import { randomBytes, randomUUID } from 'node:crypto'
import { downloadItem, getDownloadUrl } from '@alcove/contract/bytes'
import { trashFile } from '@alcove/contract/files'
import { deleteItems, restoreFile } from '@alcove/contract/trash'
import { completeUpload, getUpload } from '@alcove/contract/uploads'
import { describe, expect, it } from 'vitest'
import { sweepSessions } from './modules/accounts/sessions/sweep-sessions.ts'
import { sweepTrash } from './modules/trash/sweep-trash.ts'
import { sweepUploads } from './modules/uploads/unfinished-uploads.ts'
import { app, download, namesIn, setUpDrive, uploadTrashed, usedBytes, user } from './testing/factories/drive.ts'

setUpDrive()

const HOUR = 3_600_000
const DAY = 24 * HOUR

async function sweepAll(): Promise<void> {
  for (const sweep of [sweepUploads, sweepTrash, sweepSessions]) await sweep(app.services)
}

describe.each([
  ['forward by a day', DAY],
  ['back by an hour', -HOUR],
])('the server after its clock jumps %s', (_, jump) => {
  it('keeps sessions and resumes uploads', async () => {
    const chunks = [randomBytes(100_000), randomBytes(100_000)] as const
    const upload = { uploadId: randomUUID(), filename: 'film.mp4', totalChunks: 2 }
    expect((await user.client.sendChunk({ ...upload, chunkIndex: 0 }, chunks[0])).status).toBe(200)
    app.clock.advance(jump)
    await sweepAll()
    expect((await user.client.call(getUpload, { uploadId: upload.uploadId })).body.received).toEqual([0])
    expect((await user.client.sendChunk({ ...upload, chunkIndex: 1 }, chunks[1])).status).toBe(200)
    expect((await user.client.call(completeUpload, { uploadId: upload.uploadId })).status).toBe(201)
    await sweepAll()
    expect((await download('film.mp4')).equals(Buffer.concat(chunks))).toBe(true)
  })

  it('keeps stored files and files in the trash', async () => {
    await user.client.upload('small.txt', 'x')
    const trashed = await uploadTrashed('trashed.txt')
    app.clock.advance(jump)
    await sweepAll()
    expect((await download('small.txt')).toString()).toBe('x')
    expect((await user.client.call(restoreFile, { id: trashed.id })).status).toBe(200)
    expect((await download('trashed.txt')).toString()).toBe('x')
  })

  it('deletes a file permanently, including its bytes and quota', async () => {
    const { id } = await user.client.upload('small.txt', 'x')
    app.clock.advance(jump)
    expect((await user.client.call(trashFile, { id })).status).toBe(200)
    expect((await user.client.call(deleteItems, { itemIds: [id] })).status).toBe(200)
    await app.services.jobs.runDue()
    expect(await namesIn()).toEqual([])
    expect(await usedBytes()).toBe(0)
    expect(await app.services.db.selectFrom('blob_removals').selectAll().execute()).toEqual([])
  })

  it('signs new download URLs that are valid', async () => {
    const { id } = await user.client.upload('small.txt', 'x')
    const before = new URL((await user.client.call(getDownloadUrl, { id })).body.url)
    app.clock.advance(jump)
    const open = ({ searchParams }: URL) => app.visitor.raw(downloadItem, { id, ...Object.fromEntries(searchParams) })
    expect((await open(before)).status).toBe(jump > 0 ? 403 : 200)
    const after = new URL((await user.client.call(getDownloadUrl, { id })).body.url)
    expect((await open(after)).status).toBe(200)
  })
})

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { UPLOAD_TTL } from '@alcove/contract/limits'
import { cancelUpload } from '@alcove/contract/uploads'
import { deleteVersions } from '@alcove/contract/versions'
import { describe, expect, it } from 'vitest'
import { app, download, readStorage, setUpDrive, switchToNewUser, user } from '../../testing/factories/drive.ts'
import { sweepUploads } from './unfinished-uploads.ts'

setUpDrive()

describe('the storage limit of uploads', () => {
  it('rejects an announced size beyond the limit and returns the missing bytes', async () => {
    await switchToNewUser({ allocatedBytes: 2_000_000 })
    for (const complete of [false, true]) {
      const totalSize = 2_000_500
      const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, totalSize, complete }
      const refused = await user.client.sendChunk(fields, 'x')
      expect(refused).toMatchObject({ status: 413, body: { code: 'quota_exceeded', missingBytes: 500 } })
    }
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('rejects the chunk that exceeds the limit, and lets the upload be cancelled', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    const uploadId = randomUUID()
    const send = (chunkIndex: number) =>
      user.client.sendChunk({ uploadId, filename: 'a', chunkIndex, totalChunks: 3 }, 'x'.repeat(400))
    expect((await send(0)).status).toBe(200)
    expect((await send(1)).status).toBe(200)
    expect(await send(2)).toMatchObject({ status: 413, body: { code: 'quota_exceeded', missingBytes: 200 } })
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 800 })
    expect((await user.client.call(cancelUpload, { uploadId })).status).toBe(200)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('enforces the storage limit across concurrent uploads', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        user.client.sendChunk(
          { uploadId: randomUUID(), filename: `${index}`, chunkIndex: 0, totalChunks: 1, complete: true },
          'x'.repeat(150),
        ),
      ),
    )
    expect(responses.filter((response) => response.status === 201)).toHaveLength(6)
    expect(await readStorage()).toEqual({ used_bytes: 900, reserved_bytes: 0 })
  })

  it('refuses a replacement that leaves no space for the old bytes, and keeps the file as it is', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    await user.client.upload('a', 'x'.repeat(900))
    const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, complete: true }
    const refused = await user.client.sendChunk({ ...fields, onConflict: 'replace' }, 'y'.repeat(950))
    expect(refused).toMatchObject({ status: 413, body: { code: 'quota_exceeded', missingBytes: 850 } })
    expect((await download('a')).toString()).toBe('x'.repeat(900))
    expect(await readStorage()).toEqual({ used_bytes: 900, reserved_bytes: 0 })
  })
})

describe('cleaning up after uploads', () => {
  it('removes an unfinished upload and its bytes after seven days', async () => {
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 0, totalChunks: 2, totalSize: 6 }, 'abc')
    const { blob_key } = await app.services.db
      .selectFrom('uploads')
      .select('blob_key')
      .where('id', '=', uploadId)
      .executeTakeFirstOrThrow()
    app.clock.advance(UPLOAD_TTL - 1000)
    await sweepUploads(app.services)
    expect((await app.services.db.selectFrom('uploads').select('id').where('id', '=', uploadId).execute()).length).toBe(
      1,
    )
    app.clock.advance(2000)
    await sweepUploads(app.services)
    await app.services.jobs.runDue()
    expect((await app.services.db.selectFrom('uploads').select('id').where('id', '=', uploadId).execute()).length).toBe(
      0,
    )
    await expect(app.services.blobs.seal(blob_key, [])).rejects.toThrow(/ENOENT|has no bytes/)
  })

  it('removes the old bytes of a replaced file whose version is deleted', async () => {
    const content = randomBytes(2000)
    await user.client.upload('a', Buffer.from(content))
    const old = await app.services.db
      .selectFrom('items')
      .select('blob_key')
      .where('owner_id', '=', user.id)
      .where('name', '=', 'a')
      .executeTakeFirstOrThrow()
    await user.client.upload('a', 'new', { onConflict: 'replace' })
    await app.services.jobs.runDue()
    expect(await app.services.blobs.sizeOf(old.blob_key as string)).toBe(2000)
    await user.client.call(deleteVersions, {})
    await app.services.jobs.runDue()
    await expect(app.services.blobs.seal(old.blob_key as string, [])).rejects.toThrow(/ENOENT|has no bytes/)
    expect(
      createHash('sha256')
        .update(await download('a'))
        .digest('hex'),
    ).toBe(createHash('sha256').update('new').digest('hex'))
  })
})

import { randomUUID } from 'node:crypto'
import { createFolder, getFolder, listFiles, listRootFolders, trashFile } from '@alcove/contract/files'
import { MAX_BYTES_TOGETHER, MAX_FILES_TOGETHER, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { deleteFile } from '@alcove/contract/trash'
import { getUpload } from '@alcove/contract/uploads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { app, download, readStorage, setUpDrive, switchToNewUser, user } from '../../../testing/factories/drive.ts'

setUpDrive()

interface Sent {
  uploadId: string
  filename: string
  size: number
  content: string
  [field: string]: unknown
}

const small = (filename: string, content: string, fields: Record<string, unknown> = {}): Sent => ({
  uploadId: randomUUID(),
  filename,
  size: Buffer.byteLength(content),
  content,
  ...fields,
})

const send = (files: readonly Sent[]) =>
  user.client.sendFiles(
    files.map(({ content: _, ...described }) => described as Record<string, string>),
    files.map(({ content }) => content).join(''),
  )

const listNames = async () => (await user.client.call(listFiles, {})).body.files.map(({ name }) => name).sort()

/** Records the keys of the blobs that are written during the rest of the test. */
function watchWrites(): string[] {
  const keys: string[] = []
  const { blobs } = app.services
  const write = blobs.writeWhole.bind(blobs)
  const spy = vi.spyOn(blobs, 'writeWhole').mockImplementation((key, bytes) => {
    keys.push(key)
    return write(key, bytes)
  })
  onTestFinished(() => spy.mockRestore())
  return keys
}

const countKept = async (keys: readonly string[]) => {
  const kept = await Promise.all(keys.map((key) => app.services.blobs.sizeOf(key)))
  return kept.filter((size) => size !== undefined).length
}

describe('uploading small files together', () => {
  it('stores each file with its own bytes, including an empty one', async () => {
    const files = [small('a.txt', 'first'), small('empty.txt', ''), small('ü.txt', 'dritte ü')]
    const { status, body } = await send(files)
    expect(status).toBe(200)
    expect(body.results?.map(({ uploadId, file }) => [uploadId, file?.name, file?.size])).toEqual(
      files.map(({ uploadId, filename, size }) => [uploadId, filename, size]),
    )
    for (const { filename, content } of files) expect((await download(filename)).toString()).toBe(content)
    expect(await readStorage()).toEqual({ used_bytes: 14, reserved_bytes: 0 })
    const upload = (await user.client.call(getUpload, { uploadId: files[0]?.uploadId as string })).body
    expect(upload).toMatchObject({ filename: 'a.txt', totalChunks: 1, file: { name: 'a.txt' } })
  })

  it('creates each missing folder of the file paths once', async () => {
    const parent = (await user.client.call(createFolder, { folderName: 'Here' })).body
    const files = Array.from({ length: MAX_FILES_TOGETHER }, (_, index) =>
      small(`${index}.txt`, 'x', { parentFolderId: parent.id, relativePath: `Trip/day ${index % 3}/${index}.txt` }),
    )
    await Promise.all([send(files.slice(0, 50)), send(files.slice(50))])
    const here = (await user.client.call(getFolder, { id: parent.id })).body
    expect(here.subFolders.map(({ name }) => name)).toEqual(['Trip'])
    const trip = (await user.client.call(getFolder, { id: here.subFolders[0]?.id as string })).body
    expect(trip.subFolders.map(({ name }) => name)).toEqual(['day 0', 'day 1', 'day 2'])
    const day = (await user.client.call(getFolder, { id: trip.subFolders[0]?.id as string })).body
    expect(day.files).toHaveLength(34)
  })

  it('stores files once and returns the same result when they are sent repeatedly', async () => {
    const files = ['a', 'b', 'c'].map((name) => small(`${name}.txt`, name))
    const written = watchWrites()
    const responses = await Promise.all([send(files), send(files), send(files)])
    responses.push(await send(files))
    for (const { body } of responses) {
      expect(body.results?.map(({ file }) => file?.id)).toEqual(responses[0]?.body.results?.map(({ file }) => file?.id))
      expect(body.results?.every(({ file }) => file)).toBe(true)
    }
    expect(await listNames()).toEqual(['a.txt', 'b.txt', 'c.txt'])
    expect(await countKept(written)).toBe(3)
  })

  it('applies the onConflict of each file individually when names are taken', async () => {
    for (const name of ['both.txt', 'old.txt', 'taken.txt']) await user.client.upload(name, 'old')
    const { body } = await send([
      small('both.txt', 'new 1'),
      small('old.txt', 'new 2', { onConflict: 'replace' }),
      small('taken.txt', 'new 3', { onConflict: 'fail' }),
      small('free.txt', 'new 4', { onConflict: 'fail' }),
    ])
    expect(body.results?.map(({ file, refusal }) => file?.name ?? refusal?.code)).toEqual([
      'both (1).txt',
      'old.txt',
      'name_taken',
      'free.txt',
    ])
    expect(body.results?.[2]?.refusal).toMatchObject({
      error: 'A file or folder named "taken.txt" already exists here.',
      existing: { type: 'file', size: 3 },
    })
    expect((await download('old.txt')).toString()).toBe('new 2')
    expect((await download('taken.txt')).toString()).toBe('old')
  })

  it('stores the files that fit and rejects the others with the missing bytes', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    const written = watchWrites()
    const { body } = await send(Array.from({ length: 20 }, (_, index) => small(`${index}`, 'x'.repeat(150))))
    const refusals = body.results?.flatMap(({ refusal }) => (refusal ? [refusal] : [])) ?? []
    expect(refusals).toHaveLength(14)
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'quota_exceeded', missingBytes: 50 })
    expect(await readStorage()).toEqual({ used_bytes: 900, reserved_bytes: 0 })
    expect(written).toHaveLength(20)
    expect(await countKept(written)).toBe(6)
  })

  it("rejects another user's folder and another user's upload id", async () => {
    const other = await app.createUser()
    const folder = (await other.client.call(createFolder, { folderName: 'Private' })).body
    const mine = small('mine.txt', 'x')
    const { body } = await send([small('a.txt', 'x', { folderId: folder.id }), mine])
    expect(body.results?.map(({ file, refusal }) => file?.name ?? refusal?.code)).toEqual(['not_found', 'mine.txt'])
    const described = [{ uploadId: mine.uploadId, filename: 'theirs.txt', size: 1 }]
    expect((await other.client.sendFiles(described, 'y')).status).toBe(404)
  })

  it('rejects files for the vault on the free plan', async () => {
    await switchToNewUser({})
    const { body } = await send([small('a.txt', 'x', { isEncrypted: 'true' })])
    expect(body.results?.[0]?.refusal).toMatchObject({ code: 'plan_required' })
  })

  it('rejects an upload whose file was deleted and one that began in chunks', async () => {
    const gone = small('gone.txt', 'x')
    const file = (await send([gone])).body.results?.[0]?.file
    await user.client.call(trashFile, { id: file?.id as string })
    await user.client.call(deleteFile, { id: file?.id as string })
    const begun = small('begun.txt', 'x')
    await user.client.sendChunk({ ...begun, chunkIndex: 0, totalChunks: 2 }, 'x')
    const { body } = await send([gone, begun])
    expect(body.results?.map(({ status, refusal }) => [status, refusal?.code])).toEqual([
      [404, 'not_found'],
      [409, 'state_conflict'],
    ])
  })
})

describe('invalid input of small files together', () => {
  const a = small('a.txt', 'abc')
  const b = small('b.txt', 'def')
  const large = small('large.bin', 'x'.repeat(MAX_SMALL_FILE + 1))
  const full = Array.from({ length: 17 }, (_, index) => small(`${index}`, 'x'.repeat(MAX_BYTES_TOGETHER / 16)))

  it.each<[string, number, readonly Sent[]]>([
    ['an empty list of files', 400, []],
    ['one file too many', 400, Array.from({ length: MAX_FILES_TOGETHER + 1 }, (_, index) => small(`${index}`, ''))],
    ['a file that is too large', 400, [large]],
    ['too many bytes', 413, full],
    ['the same upload twice', 400, [a, { ...b, uploadId: a.uploadId }]],
    ['a name with a slash', 400, [a, { ...b, filename: 'a/b' }]],
    ['a path with two dots', 400, [a, { ...b, relativePath: '../b.txt' }]],
    ['a file without a size', 400, [a, { ...b, size: undefined as never }]],
    ['fewer bytes than announced', 409, [a, { ...b, size: 4 }]],
    ['more bytes than announced', 413, [a, { ...b, size: 2 }]],
  ])('rejects %s and stores nothing', async (_what, status, files) => {
    const response = await send(files)
    expect(response.status).toBe(status)
    expect(response.body.error).toBe(response.body.message)
    expect(await listNames()).toEqual([])
    expect((await user.client.call(listRootFolders, {})).body).toEqual([])
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it.each(['', 'not JSON', '{}', '[1]', '"[]"', 'null'])('rejects the file description %j', async (text) => {
    expect((await user.client.sendFiles(text, 'abc')).status).toBe(400)
  })

  it('rejects files without a session', async () => {
    expect((await app.visitor.sendFiles([], '')).status).toBe(401)
  })
})

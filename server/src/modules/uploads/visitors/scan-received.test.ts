import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listActivity } from '@alcove/contract/activity'
import { createFolder, getFolder } from '@alcove/contract/files'
import { copyItems } from '@alcove/contract/item-calls'
import { createLink } from '@alcove/contract/links'
import { listNotices } from '@alcove/contract/notices'
import { openSubmission } from '@alcove/contract/submissions'
import { listTrash } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

/** A scanner that waits while it is held, finds a word, fails at another one, and writes down what it was run with. */
const SCANNER = `#!/bin/sh
while [ -e "$(dirname "$0")/held" ]; do sleep 0.05; done
echo "$1" >> "$(dirname "$0")/runs"
env > "$(dirname "$0")/environment"
if grep -q BROKEN "$1"; then exit 2; fi
if grep -q VIRUS "$1"; then echo "$1: Test-Signature FOUND"; exit 1; fi
`

let folder: string
let app: TestApp
let user: TestUser
let request: string
let visitor: TestClient
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-scanner-'))
  const scanner = join(folder, 'scan it')
  await writeFile(scanner, SCANNER)
  await chmod(scanner, 0o700)
  app = await createTestApp({ scanCommand: `'${scanner}'`, programPath: process.env.PATH ?? '' })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
  request = (await user.client.call(createFolder, { folderName: 'Request' })).body.id
  const { link } = (await user.client.call(createLink, { id: request, right: 'upload' })).body
  const token = link.slice(link.lastIndexOf('/') + 1)
  visitor = new TestClient(app.app, (await app.visitor.call(openSubmission, { token })).body.secret)
})

const send = (client: TestClient, filename: string, content: string, fields: object = {}) =>
  client.upload(filename, content, { totalSize: content.length, uploadId: randomUUID(), ...fields })
const namesIn = async (id = request) => (await user.client.call(getFolder, { id })).body.files.map(({ name }) => name)

describe('the scanner', () => {
  it.each([
    ['small', 'VIRUS'],
    ['large', `${'x'.repeat(200_000)}VIRUS`],
  ])('puts a %s file in which it finds something into the trash, with its copies', async (_size, content) => {
    await writeFile(join(folder, 'held'), '')
    await send(visitor, 'bad.txt', content)
    await send(visitor, 'good.txt', 'fine')
    const folderId = (await user.client.call(createFolder, { folderName: 'Copies' })).body.id
    await user.client.call(copyItems, { allIn: { folderId: request }, targetFolderId: folderId })
    await rm(join(folder, 'held'))
    await app.services.jobs.runDue()
    await expect.poll(() => namesIn()).toEqual(['good.txt'])
    expect(await namesIn(folderId)).toEqual(['good.txt'])
    const { files } = (await user.client.call(listTrash, {})).body
    expect(files.map(({ name }) => name)).toEqual(['bad.txt', 'bad.txt'])
    const { notices } = (await user.client.call(listNotices, {})).body
    expect(notices.find(({ kind }) => kind === 'malware_received')?.data).toEqual({
      filename: 'bad.txt',
      report: 'the file: Test-Signature FOUND',
    })
    const { activities } = (await user.client.call(listActivity, {})).body
    const trashed = activities.filter(({ action }) => action === 'trashed')
    expect(trashed.map(({ actor, folder: at }) => [actor.kind, at?.id]).sort()).toEqual(
      [request, folderId].map((id) => ['server', id]).sort(),
    )
  })

  it('is tried again after it failed, and the file stays meanwhile', async () => {
    await send(visitor, 'odd.txt', 'BROKEN')
    await app.services.jobs.runDue()
    expect(await namesIn()).toEqual(['odd.txt'])
    const { db } = app.services
    const jobs = await db.selectFrom('jobs').select('attempts').where('kind', '=', 'scan received file').execute()
    expect(jobs.map(({ attempts }) => attempts)).toEqual([1])
    await db.deleteFrom('jobs').where('kind', '=', 'scan received file').execute()
  })

  it('gets no secrets and only what visitors send', async () => {
    await rm(join(folder, 'runs'), { force: true })
    await send(user.client, 'own.txt', 'VIRUS', { folderId: request })
    await send(visitor, 'sent.txt', 'fine')
    await app.services.jobs.runDue()
    expect((await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n')).toHaveLength(1)
    expect(await readFile(join(folder, 'environment'), 'utf8')).not.toMatch(/ALCOVE|SECRET|DATABASE/)
    expect(await namesIn()).toEqual(['own.txt', 'sent.txt'])
  })
})

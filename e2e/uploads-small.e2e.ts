import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { getFolder, listRootFolders } from '@alcove/contract/files'
import { expect, test } from './fixtures.ts'
import { makeDirectory, tray } from './uploading.ts'
import { choose, waitForText } from './users.ts'

const FOLDERS = 20
const FILES_IN_EACH = 60

test('uploads a folder of many small files in few requests, even when some of them fail', async ({ page, user }) => {
  const directory = await makeDirectory()
  const trip = join(directory, 'Trip')
  const contentOf = (folder: number, file: number) =>
    `${folder} ${file} `.repeat(1 + ((folder * FILES_IN_EACH + file) % 400))
  for (let folder = 0; folder < FOLDERS; folder++) {
    await mkdir(join(trip, `day ${folder}`), { recursive: true })
    for (let file = 0; file < FILES_IN_EACH; file++) {
      await writeFile(join(trip, `day ${folder}`, `note ${file}.txt`), contentOf(folder, file))
    }
  }
  await page.goto('/profile')
  let requests = 0
  await page.route(/\/api\/(upload-chunk|uploads\/files)$/, async (route) => {
    requests += 1
    if (requests === 3) return route.abort()
    // The server stores these files, but its response is lost.
    if (requests === 5) return route.fetch().then(() => route.abort())
    await route.continue()
  })
  await waitForText(page, 'Folder uploaded successfully.', () => choose(page, 'Upload Folder', trip))
  await expect(tray(page).getByRole('heading', { name: '1,200 of 1,200 stored' })).toBeVisible()
  await expect(tray(page)).toContainText('compared with the server')
  expect(requests).toBeLessThan(60)

  const [folder] = (await user.client.call(listRootFolders, {})).body
  const { subFolders } = (await user.client.call(getFolder, { id: folder?.id ?? '' })).body
  expect(subFolders).toHaveLength(FOLDERS)
  const day = subFolders.find(({ name }) => name === 'day 7')
  const { files } = (await user.client.call(getFolder, { id: day?.id ?? '' })).body
  expect(files).toHaveLength(FILES_IN_EACH)
  for (const file of [0, 31, 59]) {
    const { bytes } = await user.client.raw(fetchFile, { filename: `note ${file}.txt`, folderId: day?.id })
    const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
    expect(digest(bytes)).toBe(digest(contentOf(7, file)))
  }
  await rm(directory, { recursive: true })
})

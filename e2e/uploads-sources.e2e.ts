import { createFolder, listFiles } from '@alcove/contract/files'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'

/** Drops files and folders on the page as the operating system does. `null` stands for an empty folder. */
async function drop(page: Page, names: Record<string, string | null>): Promise<void> {
  await page.evaluate(async (tree) => {
    const fileEntry = (name: string, content: string) => ({
      name,
      isDirectory: false,
      file: (done: (file: File) => void) => done(new File([content], name)),
    })
    const folderEntry = (name: string, children: object[]): object => {
      const left = [children, []]
      return {
        name,
        isDirectory: true,
        createReader: () => ({ readEntries: (done: (some: object[]) => void) => done(left.shift() ?? []) }),
      }
    }
    const items = Object.entries(tree).map(([path, content]) => {
      const parts = path.split('/')
      const name = parts.at(-1) ?? ''
      let entry: object = content === null ? folderEntry(name, []) : fileEntry(name, content)
      for (const parent of parts.slice(0, -1).reverse()) entry = folderEntry(parent, [entry])
      const file = content === null || parts.length > 1 ? null : new File([content], name)
      return { kind: 'file', type: '', webkitGetAsEntry: () => entry, getAsFile: () => file }
    })
    const dataTransfer = {
      items,
      types: ['Files'],
      files: [],
      effectAllowed: 'all',
      dropEffect: 'none',
      getData: () => '',
      setData: () => {},
    }
    const send = (type: string) => {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, clientX: 600, clientY: 500 })
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
      document.elementFromPoint(600, 500)?.dispatchEvent(event)
    }
    // The drop handler loads after the screen is shown, so wait until the page says that it accepts files.
    while (!document.body.innerText.includes('Drop file here to upload')) {
      for (const type of ['dragenter', 'dragover']) send(type)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    send('drop')
  }, names)
}

test('uploads files, folders and empty folders dropped together into the current folder', async ({ page, user }) => {
  const photos = (await user.client.call(createFolder, { folderName: 'Photos' })).body
  await page.goto(`/profile?folder=${photos.id}`)
  await expect(page.getByRole('navigation', { name: /path/i })).toContainText('Photos')
  await drop(page, { 'note.txt': 'x', 'Trip/day 1/a.jpg': 'y', 'Plans/later': null, Nothing: null })
  await expect(page.getByText('Folder uploaded successfully.').first()).toBeVisible()
  for (const name of ['note.txt', 'Trip', 'Plans', 'Nothing']) await expect(tileOf(page, name)).toBeVisible()
  await tileOf(page, 'Plans').dblclick()
  await expect(tileOf(page, 'later')).toBeVisible()
})

test('uploads pasted files, and names a pasted screenshot after the current time', async ({ page, user }) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  const paste = (name: string, type: string) =>
    page.evaluate(
      ([filename, mime]) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['x'], filename as string, { type: mime }))
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      },
      [name, type],
    )
  await paste('image.png', 'image/png')
  await expect(tileOf(page, 'Pasted image').or(page.getByRole('gridcell', { name: /^Pasted image/ }))).toBeVisible()
  await paste('Letter.txt', 'text/plain')
  await expect(tileOf(page, 'Letter.txt')).toBeVisible()
  const names = (await user.client.call(listFiles, {})).body.files.map(({ name }) => name)
  expect(names.find((name) => /^Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.png$/.test(name))).toBeTruthy()
})

import { randomUUID } from 'node:crypto'
import { getThumbnail } from '@alcove/contract/bytes'
import { createFolder } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import { uploadChunk } from '@alcove/contract/uploads'
import sharp from 'sharp'
import { type Account, findFolderId, send } from '../alcove.ts'
import { alcoveTarget } from '../client/jobs.ts'
import { createAgent, filesSender } from '../client/requests.ts'

/** Folders of the root folder: one with pictures and a public link, one with many items. */
const SHARED = 'Pictures'
export const LARGE = 'Ten thousand'
const PICTURES = 24

/** Stores pictures in the root folder and in another one, creates their thumbnails, and returns the public link of the other. */
export async function storePictures(account: Account): Promise<string> {
  const { api, authorization } = account
  const headers = { authorization }
  for (const folder of ['', `${SHARED}/`]) {
    for (let index = 0; index < PICTURES; index += 1) {
      const form = new FormData()
      const filename = `Picture ${index + 1}.jpg`
      const fields = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true }
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
      if (folder) form.append('relativePath', folder + filename)
      form.append('chunk', new Blob([await drawPicture(index, 1200)]))
      const stored = await fetch(`${api}${uploadChunk.path}`, { method: 'POST', headers, body: form })
      if (!stored.ok) throw new Error(`an upload failed with ${stored.status}`)
      const { id } = (await stored.json()) as { id: string }
      for (const size of [256, 512]) {
        const made = await fetch(`${api}${getThumbnail.path.replace('{id}', id)}?size=${size}`, { headers })
        if (!made.ok) throw new Error(`a thumbnail failed with ${made.status}`)
        await made.arrayBuffer()
      }
    }
  }
  const id = await findFolderId(account, SHARED)
  const call = { ...updatePublicLink, path: `/public-link/${id}` as const }
  return new URL((await send(account, call, { id, enabled: true })).link).pathname
}

const FOLDERS = 100
const FILES = 9_900
/** Files per request, as the web sends them. */
const TOGETHER = 100
const ENDINGS = ['jpg', 'docx', 'jpg', 'xlsx', 'zip']
const DRAWINGS = 10

/** Stores 100 folders and 9,900 files in a folder, of which two in five are pictures. */
export async function storeManyItems(account: Account): Promise<void> {
  const drawings = await Promise.all(Array.from({ length: DRAWINGS }, (_, index) => drawPicture(index, 240)))
  const document = new Uint8Array(1024)
  const agent = createAgent(1)
  const store = filesSender(alcoveTarget(account), 'fetch', agent)
  for (let from = 0; from < FILES; from += TOGETHER) {
    const files = Array.from({ length: TOGETHER }, (_, place) => {
      const ending = ENDINGS[place % ENDINGS.length]
      const number = String(from + place).padStart(4, '0')
      const content = ending === 'jpg' ? (drawings[place % DRAWINGS] as Uint8Array<ArrayBuffer>) : document
      return { folder: LARGE, name: `Holiday by the sea ${number}.${ending}`, content }
    })
    await store(files)
  }
  agent.destroy()
  const parentFolderId = await findFolderId(account, LARGE)
  for (let index = 0; index < FOLDERS; index += 1)
    await send(account, createFolder, { folderName: `Trip ${index + 1}`, parentFolderId })
}

/** Draws a picture whose thumbnail has about as many bytes as that of a photo. */
async function drawPicture(index: number, width: number): Promise<Uint8Array<ArrayBuffer>> {
  const hue = (index * 47) % 360
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width * 0.75}" viewBox="0 0 1200 900">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 75%)"/>
    <stop offset="1" stop-color="hsl(${hue + 60} 50% 40%)"/></linearGradient></defs>
    <rect width="1200" height="900" fill="url(#sky)"/>
    ${Array.from({ length: 60 }, (_, dot) => {
      const [x, y] = [(dot * 197 + index * 31) % 1200, (dot * 331) % 900]
      return `<circle cx="${x}" cy="${y}" r="${20 + (dot % 7) * 9}" fill="hsl(${hue + dot * 9} 60% 50%)" opacity=".6"/>`
    }).join('')}</svg>`
  return new Uint8Array(await sharp(Buffer.from(drawing)).jpeg({ quality: 85 }).toBuffer())
}

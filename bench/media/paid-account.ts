import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FILE_CHUNK_SIZE } from '@alcove/contract/limits'
import { getStreamUrl } from '@alcove/contract/media'
import { planNameOf, plans } from '@alcove/contract/plans'
import { uploadChunk } from '@alcove/contract/uploads'
import { type Account, openAccount } from '../account.ts'
import type { Alcove } from '../alcove.ts'

/** An account with a plan that music and video are part of. */
export async function openPaidAccount(alcove: Alcove): Promise<Account> {
  const account = await openAccount(alcove)
  const [plan] = plans
  if (!plan) throw new Error('There is no plan.')
  const database = new DatabaseSync(join(alcove.dataDir, 'alcove.sqlite'), { timeout: 5000 })
  database.prepare('update users set plan_id = ?, plan_name = ?').run(plan.planId, planNameOf(plan))
  database.close()
  return account
}

/** Stores a file from the disk, in chunks; answers its id. */
export async function store({ api, authorization }: Account, path: string): Promise<string> {
  const file = await open(path)
  const { size } = await file.stat()
  const totalChunks = Math.max(1, Math.ceil(size / FILE_CHUNK_SIZE))
  const uploadId = randomUUID()
  let id: string | undefined
  try {
    for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex += 1) {
      const piece = Buffer.alloc(Math.min(FILE_CHUNK_SIZE, size - chunkIndex * FILE_CHUNK_SIZE))
      await file.read(piece, 0, piece.length, chunkIndex * FILE_CHUNK_SIZE)
      const form = new FormData()
      const fields = { uploadId, filename: basename(path), chunkIndex, totalChunks, complete: true }
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
      form.append('chunk', new Blob([piece]))
      const response = await fetch(`${api}${uploadChunk.path}`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      })
      if (!response.ok) throw new Error(`an upload answered ${response.status}`)
      id = ((await response.json()) as { id?: string }).id
    }
  } finally {
    await file.close()
  }
  if (id === undefined) throw new Error('the upload did not complete')
  return id
}

/** How a file is streamed, as the web asks for it; on the address that the server listens at. */
export async function findStream({ api, authorization }: Account, id: string) {
  const response = await fetch(`${api}${getStreamUrl.path.replace('{id}', id)}`, { headers: { authorization } })
  if (!response.ok) throw new Error(`a stream answered ${response.status}`)
  const { url, playlists } = (await response.json()) as { url: string; playlists: string[] }
  const onApi = (address: string) =>
    `${api}${new URL(address).pathname.replace(/^\/api/, '')}${new URL(address).search}`
  return { url: onApi(url), playlists: playlists.map(onApi) }
}

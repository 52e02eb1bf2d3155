import type { InputOf } from '@alcove/contract/call'
import type { uploadChunk } from '@alcove/contract/uploads'
import type { SendFiles } from '../client/jobs.ts'

export type BrowserSending = Pick<SendFiles, 'target' | 'folder' | 'files' | 'size' | 'atOnce'>

/**
 * Sends files from a page of the target's own origin, as the web does: a form to Alcove, the bare bytes to nginx. Answers
 * the seconds; fails with the first file that fails. It runs in the page, and so knows nothing but its input.
 */
export async function sendFilesFromPage({ target, folder, files, size, atOnce }: BrowserSending): Promise<number> {
  const content = crypto.getRandomValues(new Uint8Array(size))

  async function put(name: string, bytes: Blob): Promise<Response> {
    return fetch(`${target.url}/${folder}/${name}`, { method: 'PUT', body: bytes })
  }
  async function upload(filename: string, bytes: Blob): Promise<Response> {
    const fields: InputOf<typeof uploadChunk> = {
      uploadId: crypto.randomUUID(),
      filename,
      chunkIndex: 0,
      totalChunks: 1,
      totalSize: size,
      complete: 'true',
      relativePath: `${folder}/${filename}`,
    }
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('chunk', bytes, 'blob')
    return fetch(`${target.url}/upload-chunk`, { method: 'POST', headers: target.headers, body: form })
  }

  let sent = 0
  async function sendInTurn(): Promise<void> {
    while (sent < files) {
      const index = sent++
      const bytes = content.slice()
      new DataView(bytes.buffer).setUint32(0, index)
      const send = target.kind === 'alcove' ? upload : put
      const response = await send(`file-${index}.bin`, new Blob([bytes]))
      const answer = await response.text()
      if (response.status !== 201 && response.status !== 204) throw new Error(`${response.status}: ${answer}`)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, sendInTurn))
  return (performance.now() - startedAt) / 1000
}

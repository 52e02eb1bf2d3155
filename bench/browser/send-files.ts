import type { InputOf } from '@alcove/contract/call'
import type { uploadChunk } from '@alcove/contract/uploads'
import type { SendFiles } from '../client/jobs.ts'

export type BrowserSending = Pick<SendFiles, 'target' | 'folder' | 'files' | 'size' | 'atOnce' | 'together'>

/**
 * Sends files from a page of the target's own origin, as the web does: a form to Alcove, many files in one where that is
 * asked for, and the bare bytes to nginx. Answers the seconds; fails with the first file that fails. It runs in the page,
 * and so knows nothing but its input.
 */
export async function sendFilesFromPage(sending: BrowserSending): Promise<number> {
  const { target, folder, files, size, atOnce, together = 1 } = sending
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

  async function uploadMany(many: { name: string; bytes: Blob }[]): Promise<Response> {
    const described = many.map(({ name, bytes }) => ({
      uploadId: crypto.randomUUID(),
      filename: name,
      size: bytes.size,
      relativePath: `${folder}/${name}`,
    }))
    const form = new FormData()
    form.append('files', JSON.stringify(described))
    form.append('chunk', new Blob(many.map(({ bytes }) => bytes)), 'blob')
    return fetch(`${target.url}/uploads/files`, { method: 'POST', headers: target.headers, body: form })
  }
  function nextFiles(): { name: string; bytes: Blob }[] {
    const next: { name: string; bytes: Blob }[] = []
    for (; sent < files && next.length < together; sent += 1) {
      const bytes = content.slice()
      new DataView(bytes.buffer).setUint32(0, sent)
      next.push({ name: `file-${sent}.bin`, bytes: new Blob([bytes]) })
    }
    return next
  }

  let sent = 0
  async function sendInTurn(): Promise<void> {
    while (sent < files) {
      const next = nextFiles()
      const [{ name, bytes }] = next as [{ name: string; bytes: Blob }]
      const send = target.kind === 'alcove' ? upload : put
      const response = await (together > 1 ? uploadMany(next) : send(name, bytes))
      const answer = await response.text()
      const isStored = response.ok && !answer.includes('"refusal"')
      if (!isStored) throw new Error(`${response.status}: ${answer}`)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, sendInTurn))
  return (performance.now() - startedAt) / 1000
}

import type { WriterRequest, WriterResponse } from './private-file.ts'

/** The only way to write without copying. Browsers offer it only in workers. */
interface SyncAccessHandle {
  write(bytes: Uint8Array, options: { readonly at: number }): number
  close(): void
}

let opened: SyncAccessHandle | undefined

/** Writes one file, and responds to each request when it is done. */
self.addEventListener('message', async ({ data }: MessageEvent<WriterRequest>) => {
  let response: WriterResponse = {}
  try {
    if (data.kind === 'open') {
      opened = await (
        data.handle as unknown as { createSyncAccessHandle(): Promise<SyncAccessHandle> }
      ).createSyncAccessHandle()
    } else if (data.kind === 'write') {
      const written = opened?.write(data.bytes, { at: data.at })
      response = written === data.bytes.length ? { buffer: data.bytes.buffer } : { error: 'QuotaExceededError' }
    } else {
      opened?.close()
    }
  } catch (error) {
    response = { error: error instanceof Error ? error.name : String(error) }
  }
  self.postMessage(response, { transfer: response.buffer ? [response.buffer] : [] })
})

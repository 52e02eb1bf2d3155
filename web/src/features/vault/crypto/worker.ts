import { jobs } from './jobs.ts'
import { VaultFailure } from './vault-failure.ts'
import type { WorkerRequest, WorkerResponse } from './worker-pool.ts'

/** Does jobs away from the page, and nothing else. */
self.addEventListener('message', async ({ data: { id, name, input } }: MessageEvent<WorkerRequest>) => {
  try {
    const output = await jobs[name](input as never)
    self.postMessage({ id, output } satisfies WorkerResponse, { transfer: [output.bytes.buffer] })
  } catch (error) {
    // Of an error of ours only its kind would arrive, and what happened in words.
    const isOurs = error instanceof VaultFailure
    const failure = isOurs ? error.kind : undefined
    self.postMessage({ id, failure, error: String(isOurs ? error.cause : error) } satisfies WorkerResponse)
  }
})

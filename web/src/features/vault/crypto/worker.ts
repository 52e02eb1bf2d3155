import { jobs } from './jobs.ts'
import { VaultFailure } from './vault-failure.ts'
import type { WorkerRequest, WorkerResponse } from './worker-pool.ts'

/** Runs jobs outside the page, and nothing else. */
self.addEventListener('message', async ({ data: { id, name, input } }: MessageEvent<WorkerRequest>) => {
  try {
    const output = await jobs[name](input as never)
    self.postMessage({ id, output } satisfies WorkerResponse, { transfer: [output.bytes.buffer] })
  } catch (error) {
    // A `VaultFailure` can't be posted as such: send its kind, and the cause as text.
    const isOurs = error instanceof VaultFailure
    const failure = isOurs ? error.kind : undefined
    self.postMessage({ id, failure, error: String(isOurs ? error.cause : error) } satisfies WorkerResponse)
  }
})

import type { Product } from './fixtures.ts'

/** Adds a job that the server has given up. */
export async function addFailedJob(product: Product): Promise<void> {
  await product.services.db
    .insertInto('jobs')
    .values({
      ...{ id: crypto.randomUUID(), kind: 'remove blobs', payload: '{}', run_at: 9e15 },
      ...{ attempts: 12, failed_at: product.clock.now(), last_error: 'the disk was away' },
    })
    .execute()
}

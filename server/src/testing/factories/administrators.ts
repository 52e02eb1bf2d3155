import { randomUUID } from 'node:crypto'
import { firstAdministratorUrl } from '../../modules/accounts/index.ts'
import type { TestApp } from '../engines/test-app.ts'

/** Returns the one-time address of the first administrator, as the server prints it at start. */
export async function readSetupUrl({ services }: TestApp): Promise<string> {
  const url = await firstAdministratorUrl(services)
  if (url === undefined) throw new Error('There is an administrator already.')
  return url
}

/** Adds users without files, who can't sign in, to fill the administrators' list. */
export async function addUsers({ services: { db, clock } }: TestApp, count: number): Promise<void> {
  const BATCH = 1000
  for (let start = 0; start < count; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => {
      const number = start + index
      // Spread over the whole table, as after years.
      const spread = (number * 7919) % count
      const [planId, planName] = number % 10 === 0 ? [3, '2 TB Monthly'] : [0, 'free']
      return {
        ...{ id: randomUUID(), email: `user-${spread}-${number}@example.com`, password_hash: 'x'.repeat(100) },
        ...{ activated_at: number % 50 === 0 ? null : 1, confirmed_email: `user-${spread}@example.com` },
        ...{ plan_id: planId as number, plan_name: planName as string },
        ...{ allocated_bytes: 10_737_418_240, used_bytes: (number * 104_729) % 10_000_000_000, reserved_bytes: 0 },
        ...{ drive_root_id: randomUUID(), vault_root_id: randomUUID(), tree_version: 0 },
        ...{ created_at: clock.now() - spread * 1000, last_seen_at: number % 3 === 0 ? null : clock.now() - spread },
        ...(number % 2 === 0 && { display_name: `Person ${spread}`, display_name_folded: `person ${spread}` }),
        ...{ suspended_at: number % 200 === 0 ? 1 : null },
      }
    })
    await db.insertInto('users').values(rows).execute()
  }
}

import type { Services } from '../../../context.ts'

/** Removes expired answers, and the app passwords that their clients never fetched: nobody knows those. */
export async function sweepLoginFlows({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  await db
    .deleteFrom('app_passwords')
    .where('id', 'in', (expired) =>
      expired
        .selectFrom('login_flows')
        .select('app_password_id')
        .where('expires_at', '<=', now)
        .where('sealed_secret', 'is not', null)
        .where('app_password_id', 'is not', null)
        .$narrowType<{ app_password_id: string }>(),
    )
    .execute()
  await db.deleteFrom('login_flows').where('expires_at', '<=', now).execute()
}

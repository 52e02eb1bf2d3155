import { type NewNotice, notify } from '../../modules/notices/notify.ts'
import type { TestApp } from '../engines/test-app.ts'

export type { NewNotice }

/** Gives a user a notice. */
export async function addNotice({ services }: TestApp, { id }: { id: string }, notice: NewNotice): Promise<void> {
  await services.db.transaction().execute((tx) => notify(services, tx, id, notice))
}

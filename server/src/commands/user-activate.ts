import type { Command } from './command.ts'
import { getUser } from './find-user.ts'

export const userActivate: Command = {
  name: 'user activate',
  parameters: ['EMAIL'],
  summary: 'Activate an account without its mail',
  async run({ services: { db, clock }, print }, email = '') {
    const user = await getUser(db, email)
    const activated = await db
      .updateTable('users')
      .set((eb) => ({
        activated_at: clock.now(),
        confirmed_email: eb.ref('email'),
        claimed_from: null,
        proof_hash: null,
      }))
      .where('id', '=', user.id)
      .where('activated_at', 'is', null)
      .executeTakeFirst()
    print(activated.numUpdatedRows > 0n ? `${user.email} is activated now.` : `${user.email} was activated already.`)
  },
}

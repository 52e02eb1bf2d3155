import { deleteLeftovers, deleteUser } from '../modules/accounts/index.ts'
import type { Command } from './command.ts'
import { getUser } from './find-user.ts'

export const userDelete: Command = {
  name: 'user delete',
  parameters: ['EMAIL'],
  summary: 'Delete an account with all that is in it, at once and for good; a subscription is cancelled',
  async run({ services, print }, email = '') {
    const user = await getUser(services.db, email)
    await deleteUser(services, user.id)
    // No server may be running; where one is, both go about it.
    await deleteLeftovers(services, user.id)
    // The work that was queued is done by a server: this process has nobody for it.
    print(`${user.email} is deleted. The server removes the bytes, now or as soon as it runs.`)
  },
}

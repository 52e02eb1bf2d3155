import { GIGABYTE } from '@alcove/contract/limits'
import type { Command } from './command.ts'

const PAGE = 500

export const userList: Command = {
  name: 'user list',
  parameters: [],
  summary: 'All users: address, plan, gigabytes used of those allowed, activated or not, since when',
  async run({ services: { db }, print }) {
    for (let after = ''; ; ) {
      const users = await db
        .selectFrom('users')
        .select(['email', 'plan_name', 'used_bytes', 'allocated_bytes', 'activated_at', 'created_at'])
        .where('email', '>', after)
        .where('deleted_at', 'is', null)
        .orderBy('email')
        .limit(PAGE)
        .execute()
      for (const user of users) {
        const room = `${inGigabytes(user.used_bytes)} of ${inGigabytes(user.allocated_bytes)} GB`
        const state = user.activated_at === null ? 'not activated' : 'activated'
        print([user.email, user.plan_name, room, state, new Date(user.created_at).toISOString()].join('\t'))
      }
      const last = users.at(-1)
      if (!last) return
      after = last.email
    }
  },
}

function inGigabytes(bytes: number): string {
  return String(Number((bytes / GIGABYTE).toFixed(2)))
}

import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../../context.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { sendQueuedMails } from '../../accounts/index.ts'
import { actorOf } from '../../audit/index.ts'
import { activateUser, endUserTwoFactor, setUserPlan, setUserQuota, setUserRole, signUserOut } from './change-users.ts'
import { getUser } from './get-user.ts'
import { listUsers } from './list-users.ts'
import { cancelUserDeletion, deleteUserAfter, suspendUser, unsuspendUser } from './suspend-users.ts'

const by = (ctx: UserContext, id: string) => ({ actor: actorOf(ctx), userId: id })

export const userEndpoints = [
  listUsers,
  getUser,
  endpoint(calls.activateUser, async (ctx, { id }) => ({ message: await activateUser(ctx, by(ctx, id)) })),
  endpoint(calls.setUserPlan, async (ctx, { id, planId }) => ({
    message: await setUserPlan(ctx, { ...by(ctx, id), planId }),
  })),
  endpoint(calls.setUserQuota, async (ctx, { id, quota }) => ({
    message: await setUserQuota(ctx, { ...by(ctx, id), quota }),
  })),
  endpoint(calls.setUserRole, async (ctx, { id, role }) => ({
    message: await setUserRole(ctx, { ...by(ctx, id), role }),
  })),
  endpoint(calls.signUserOut, async (ctx, { id, appPasswords = false }) => ({
    message: await signUserOut(ctx, { ...by(ctx, id), withAppPasswords: appPasswords }),
  })),
  endpoint(calls.endUserTwoFactor, async (ctx, { id }) => {
    const message = await endUserTwoFactor(ctx, by(ctx, id))
    await sendQueuedMails(ctx)
    return { message }
  }),
  endpoint(calls.suspendUser, async (ctx, { id }) => ({ message: await suspendUser(ctx, by(ctx, id)) })),
  endpoint(calls.unsuspendUser, async (ctx, { id }) => ({ message: await unsuspendUser(ctx, by(ctx, id)) })),
  endpoint(calls.scheduleUserDeletion, async (ctx, { id, days }) => {
    const { message, dueAt } = await deleteUserAfter(ctx, { ...by(ctx, id), days })
    await sendQueuedMails(ctx)
    return { message, deletionDueAt: dueAt === null ? null : formatTime(dueAt) }
  }),
  endpoint(calls.cancelUserDeletion, async (ctx, { id }) => {
    const message = await cancelUserDeletion(ctx, by(ctx, id))
    await sendQueuedMails(ctx)
    return { message }
  }),
]

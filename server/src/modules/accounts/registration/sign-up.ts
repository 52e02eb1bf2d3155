import { describeSignUp, isOfDomain, listDomains, signUpModes } from '@alcove/contract/sign-up-modes'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { defineSetting, readSetting } from '../../site/index.ts'

/** Who can create an account, and the plan that it gets. */
export const signUpSetting = defineSetting({
  name: 'sign-up',
  schema: z.object({
    mode: z.enum(signUpModes),
    domains: z.array(z.string()),
    allowsSharedFolders: z.boolean(),
    defaultPlanId: z.int(),
  }),
  initial: ({ signUp: { mode, domains } }) => ({
    mode,
    domains: [...domains],
    allowsSharedFolders: false,
    defaultPlanId: 0,
  }),
})

/** Throws 403 if nobody may register with an address. The sentence is the same for every address, with an account or without. */
export async function assertMayRegister(services: Services, email: string): Promise<void> {
  const way = await findWayToRegister(services, email)
  if (way === 'free' || (way === 'as member' && (await isInvitedToFolder(services, email)))) return
  const { mode, domains } = await readSetting(services, signUpSetting)
  throw new AppError('forbidden', describeSignUp(mode, listDomains(domains)) ?? 'Registration is closed.')
}

/** Returns whether the owner of an address may register: freely, only as somebody who was invited to a folder, or not at all. */
export async function findWayToRegister(services: Services, email: string): Promise<'free' | 'as member' | 'none'> {
  const { mode, domains, allowsSharedFolders } = await readSetting(services, signUpSetting)
  if (mode === 'open' || (mode === 'domain' && isOfDomain(email, domains))) return 'free'
  return allowsSharedFolders ? 'as member' : 'none'
}

/** Returns whether somebody has invited an address to a shared folder. Only who receives its mail can activate the account. */
async function isInvitedToFolder({ db }: Services, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('members')
    .select('id')
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

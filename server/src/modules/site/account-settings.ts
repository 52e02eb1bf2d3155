import { quota } from '@alcove/contract/admin-sign-up'
import { z } from 'zod'
import { TWO_FACTOR_REQUIRED } from '../../platform/http/two-factor-required.ts'
import { defineSetting } from './settings.ts'

/** Whether the server has plans and prices. Without them, every account has the vault, music and video. */
export const plansSetting = defineSetting({
  name: 'plans',
  schema: z.object({ enabled: z.boolean() }),
  initial: ({ plans }) => ({ enabled: plans }),
})

/** The quota in bytes of accounts without a larger plan or a quota of their own. Null for that of the free plan. */
export const defaultQuotaSetting = defineSetting({
  name: 'default-quota',
  schema: quota.nullable(),
  initial: () => null,
})

/** Whether accounts can do nothing but set up two-factor sign-in until it is on. `authenticate.ts` reads the row itself. */
export const twoFactorRequiredSetting = defineSetting({
  name: TWO_FACTOR_REQUIRED,
  schema: z.boolean(),
  initial: () => false,
})

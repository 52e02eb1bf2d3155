import type { SignUpSettings } from '@alcove/contract/admin-sign-up'
import { calls } from '@alcove/contract/calls'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { signUpSetting } from '../../accounts/index.ts'
import { type AuditActor, actorOf, noteAudit } from '../../audit/index.ts'
import { applyDefaultQuota, getPlan } from '../../billing/index.ts'
import {
  changeSettingIn,
  changeSettings,
  defaultQuotaSetting,
  readSetting,
  twoFactorRequiredSetting,
} from '../../site/index.ts'

export const getSignUpSettings = endpoint(calls.getSignUpSettings, (ctx) => readSignUpSettings(ctx))

export const changeSignUpSettings = endpoint(calls.changeSignUpSettings, (ctx, changes) =>
  writeSignUpSettings(ctx, actorOf(ctx), changes),
)

/** Returns the settings, which are rows of their own because different modules read them. */
export async function readSignUpSettings(
  services: { db: Database } & Pick<Services, 'config'>,
): Promise<SignUpSettings> {
  return {
    ...(await readSetting(services, signUpSetting)),
    defaultQuota: await readSetting(services, defaultQuotaSetting),
    requireTwoFactor: await readSetting(services, twoFactorRequiredSetting),
  }
}

/** Changes the settings that are given, and gives a new default quota to the accounts that it applies to. */
export function writeSignUpSettings(
  services: Pick<Services, 'db' | 'config' | 'clock'>,
  actor: AuditActor,
  changes: Partial<SignUpSettings>,
): Promise<SignUpSettings> {
  return changeSettings(services, async (tx) => {
    const inTx = { db: tx, config: services.config }
    let before: SignUpSettings | undefined
    // The row of this setting is the lock for all of them.
    await changeSettingIn(services, tx, signUpSetting, async (stored) => {
      before = await readSignUpSettings(inTx)
      const { mode, domains, allowsSharedFolders, defaultPlanId } = { ...stored, ...withoutUndefined(changes) }
      if (mode === 'domain' && domains.length === 0) {
        throw new AppError('malformed', 'List at least one domain whose addresses can register.')
      }
      await getPlan(inTx, defaultPlanId)
      return { mode, domains, allowsSharedFolders, defaultPlanId }
    })
    const { defaultQuota, requireTwoFactor } = changes
    if (defaultQuota !== undefined && defaultQuota !== before?.defaultQuota) {
      await changeSettingIn(services, tx, defaultQuotaSetting, () => defaultQuota)
      await applyDefaultQuota(tx, defaultQuota)
    }
    if (requireTwoFactor !== undefined) {
      await changeSettingIn(services, tx, twoFactorRequiredSetting, () => requireTwoFactor)
    }
    const after = await readSignUpSettings(inTx)
    const details = before && differences(before, after)
    if (details) await noteAudit(services, tx, actor, { action: 'settings.sign-up', details })
    return after
  })
}

function withoutUndefined<T extends object>(changes: T): Partial<T> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** Returns the new values of what has changed, or undefined if nothing has. */
function differences(
  before: SignUpSettings,
  after: SignUpSettings,
): Record<string, string | number | boolean | null> | undefined {
  const changed = Object.entries(flat(after)).filter(([name, value]) => value !== flat(before)[name])
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

function flat({ domains, ...settings }: SignUpSettings): Record<string, string | number | boolean | null> {
  return { ...settings, domains: domains.join(', ') }
}

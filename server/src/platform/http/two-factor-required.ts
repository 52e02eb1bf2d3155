import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { NO_PASSWORD } from '../crypto/passwords.ts'

/** The setting that says whether accounts need two-factor sign-in. */
export const TWO_FACTOR_REQUIRED = 'two-factor-required'

/**
 * Selects whether a user can do nothing but set up two-factor sign-in. Users without a password sign in through a provider, which has
 * rules of its own. Where it isn't required, this costs the look-up of one row of a small table.
 */
export const needsTwoFactor = sql<boolean | number>`case
  when exists (select 1 from site_settings where name = ${sql.lit(TWO_FACTOR_REQUIRED)} and value = 'true')
  then not exists (select 1 from two_factor where two_factor.user_id = users.id and enabled_at is not null)
    and users.password_hash not like ${sql.lit(`${NO_PASSWORD}%`)}
  else false end`.as('needs_two_factor')

export function twoFactorSetupRequired(): AppError {
  return new AppError(
    'two_factor_setup_required',
    'This server requires two-factor sign-in. Sign in with a browser and set it up.',
  )
}

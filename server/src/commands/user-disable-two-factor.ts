import { switchTwoFactorOff } from '../modules/accounts/index.ts'
import { type Command, CommandError } from './command.ts'
import { getUser } from './find-user.ts'

export const userDisableTwoFactor: Command = {
  name: 'user disable-two-factor',
  parameters: ['EMAIL'],
  summary: 'Switch two-factor sign-in off for who has lost the app and the recovery codes',
  async run({ services, print }, email = '') {
    const user = await getUser(services.db, email)
    const isSwitchedOff = await services.db.transaction().execute((tx) => switchTwoFactorOff(services, tx, user.id))
    if (!isSwitchedOff) throw new CommandError(`Two-factor sign-in is off for ${user.email}.`)
    print(`Two-factor sign-in is off for ${user.email} now.`)
  },
}

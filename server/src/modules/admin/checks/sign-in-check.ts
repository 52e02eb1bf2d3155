import { checkProviders } from '../../accounts/index.ts'
import { type Check, failed, ok, skipped } from './check.ts'

/** The providers through which people sign in can be reached and accept this server. */
export const signIn: Check = {
  id: 'sign-in',
  label: 'Single sign-on',
  async run({ services }) {
    const providers = await checkProviders(services)
    if (providers.length === 0) return skipped('There are no sign-in providers.')
    const problems = providers.flatMap(({ problem }) => problem ?? [])
    if (problems.length === 0) {
      return ok(`${providers.map(({ label }) => label).join(', ')}: can be reached and accept this server.`)
    }
    return failed(
      problems.map(({ message }) => message).join(' '),
      problems.map(({ fix }) => fix ?? 'The log of the server may say more.').join(' '),
    )
  },
}

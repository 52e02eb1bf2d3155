import { firstAdministratorUrl } from '../../modules/accounts/index.ts'
import type { TestApp } from '../engines/test-app.ts'

/** Returns the one-time address of the first administrator, as the server prints it at start. */
export async function readSetupUrl({ services }: TestApp): Promise<string> {
  const url = await firstAdministratorUrl(services)
  if (url === undefined) throw new Error('There is an administrator already.')
  return url
}

import { allowLoginFlow } from '@alcove/contract/login-flows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from './run-program.ts'
import { type ServedAccount, serveAccount } from './served-account.ts'

let account: ServedAccount
beforeAll(async () => {
  account = await serveAccount()
})
afterAll(() => account.close())

/** Gets an app password as a client does, while the user allows it in the browser. */
async function getAppPassword({ server, client }: ServedAccount): Promise<{ loginName: string; appPassword: string }> {
  const started = await fetch(`${server.url}/index.php/login/v2`, { method: 'POST' })
  const { poll, login } = (await started.json()) as { poll: { token: string; endpoint: string }; login: string }
  const { status } = await client.call(allowLoginFlow, { token: login.split('/').at(-1) as string })
  expect(status).toBe(200)
  // The server's public address has another port here.
  const endpoint = new URL(new URL(poll.endpoint).pathname, server.url)
  const polled = await fetch(endpoint, { method: 'POST', body: new URLSearchParams({ token: poll.token }) })
  return (await polled.json()) as { loginName: string; appPassword: string }
}

describe.each(['nextcloudcmd', 'owncloudcmd'])('%s', (program) => {
  /** Starts a synchronization. Whether that succeeds is tested elsewhere. */
  async function sync(user: string, password: string): Promise<string> {
    const { server, dir } = account
    const args = ['--non-interactive', '--max-sync-retries', '0', '--user', user, '--password', password]
    const options = { cwd: dir, env: { QT_QPA_PLATFORM: 'offscreen' }, mayFail: true }
    await runProgram('mkdir', ['-p', program], { cwd: dir })
    return (await runProgram(program, [...args, '--logdebug', program, server.url], options)).output
  }

  it('accepts the server and reads the capabilities and the account with an app password from a login flow', async () => {
    const { loginName, appPassword } = await getAppPassword(account)
    const output = await sync(loginName, appPassword)
    expect(output).toContain(`"productname":"Alcove"`)
    expect(output).toMatch(/cloud\/capabilities\?format=json"\) FINISHED WITH STATUS "OK"/)
    expect(output).toMatch(/cloud\/user\?format=json"\) FINISHED WITH STATUS "OK"/)
  })

  it('is refused with the account’s own password', async () => {
    const output = await sync(account.email, 'Correct-horse-7')
    expect(output).toMatch(/cloud\/capabilities\?format=json"\) FINISHED WITH STATUS "AuthenticationRequiredError/)
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDashboard } from '@alcove/contract/billing'
import { getStorage } from '@alcove/contract/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../config.ts'
import { syncCustomers } from '../modules/billing/subscriptions/sync-customers.ts'
import { noSettings } from '../testing/clients/operator.ts'
import { createTestApp, type TestApp } from '../testing/engines/test-app.ts'
import { openTestPayments, type TestPayments } from '../testing/factories/payments.ts'
import { runCommand } from './commands.ts'

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp()
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

/** Runs a command line and returns the exit code and the output. */
async function run(...given: string[]) {
  const printed: string[] = []
  const errors: string[] = []
  const code = await runCommand(given, {
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    settings: noSettings,
    withOperator: (work) => {
      const { services } = app
      return work({ services, config: services.config, settingsWith: () => services.config })
    },
  })
  return { code, printed, errors }
}

describe('the command line', () => {
  it('shows all commands, examples and exit codes for help, and exits with 2 without a command', async () => {
    for (const [given, code] of [
      [['--help'], 0],
      [['-h'], 0],
      [['help'], 0],
      [[], 2],
    ] as const) {
      const shown = await run(...given)
      expect(shown.code).toBe(code)
      const text = shown.printed.join('\n')
      expect(text).toMatch(/user set-plan EMAIL PLAN_ID {2,}Give a user a plan/)
      expect(text).toContain('alcove user activate mara@example.com')
      expect(text).toContain('Exit codes: 0 done; 1 failed')
    }
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(await run('--version')).toEqual({ code: 0, printed: [version], errors: [] })
  })

  it('ends quietly if nobody reads its output, as with head', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../cli.ts'), 'help'])
    child.stdout.destroy()
    let errors = ''
    child.stderr.on('data', (piece) => (errors += piece))
    const [code] = await once(child, 'close')
    expect([code, errors]).toEqual([0, ''])
  })

  it('shows the help of one command or of a group', async () => {
    for (const given of [
      ['help', 'migrate-to'],
      ['migrate-to', '--help'],
      ['migrate-to', 'new.env', '-h'],
    ]) {
      const { code, printed } = await run(...given)
      expect([code, printed[0]]).toEqual([0, 'Usage: alcove migrate-to TARGET'])
      expect(printed.join('\n')).toContain('NAME= unsets one')
    }
    const { code, printed } = await run('help', 'user')
    expect([code, printed[0]]).toEqual([0, 'Usage: alcove user …'])
    expect(printed.filter((line) => /^ {2}user /.test(line)).length).toBeGreaterThan(4)
    expect(printed.join('\n')).not.toContain('verify')
  })

  it.each([
    [['user', 'lsit'], 'There is no command "user lsit". Did you mean "user list"?'],
    [
      ['usr', 'activate', 'x@example.com'],
      'There is no command "usr activate x@example.com". Did you mean "user activate"?',
    ],
    [['bakcup', '/mnt'], 'There is no command "bakcup /mnt". Did you mean "backup"?'],
    [['help', 'verifi'], 'There is no command "verifi". Did you mean "verify"?'],
    [['stripe'], 'There is no command "stripe". There are stripe sync-plans.'],
    [['reboot'], 'There is no command "reboot".'],
    [['constructor'], 'There is no command "constructor".'],
  ])('exits with 2 for the unknown command %j and suggests what was probably meant', async (given, line) => {
    const { code, printed, errors } = await run(...given)
    expect([code, printed, errors[0]]).toEqual([2, [], line])
    expect(errors[1]).toMatch(/^(All commands: alcove help|Usage: alcove help \[COMMAND…\])$/)
  })

  it.each([
    [['user', 'activate'], 'EMAIL is missing.', 'user activate EMAIL'],
    [['user', 'set-plan', 'x@example.com'], 'PLAN_ID is missing.', 'user set-plan EMAIL PLAN_ID'],
    [['user', 'list', 'more'], '"more" is one parameter too many.', 'user list'],
    [['verify', '--fast'], 'There is no option "fast".', 'verify'],
  ])('exits with 2 for the wrong parameters of %j and shows the right ones', async (given, line, usage) => {
    expect(await run(...given)).toEqual({ code: 2, printed: [], errors: [line, `Usage: alcove ${usage}`] })
  })

  it('exits with 1 and prints one line if a setting is invalid', async () => {
    const errors: string[] = []
    const code = await runCommand(['user', 'list'], {
      print: () => {},
      printError: (line) => errors.push(line),
      settings: noSettings,
      withOperator: () => Promise.reject(new ConfigError('PORT must be a port number.')),
    })
    expect([code, errors]).toEqual([1, ['PORT must be a port number.']])
  })
})

it('docs/operations.md describes every command', async () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  const { printed } = await run('help')
  const commands = printed.flatMap((line) => /^ {2}(\S.*?) {2,}\S/.exec(line)?.[1] ?? [])
  expect(commands.length).toBeGreaterThan(10)
  for (const command of commands) {
    // Options may follow.
    expect(docs, command).toMatch(new RegExp(`^\\| \`${command.replace(/[[\]…]/g, '\\$&')}( \\[--[^\`]*)?\` \\| `, 'm'))
  }
})

describe('config', () => {
  const variables = { PORT: '5200', ALCOVE_SECRET: 'sixteen-letters-x', ALCOVE_SESSION_TTL: '7 days' }

  async function show(found: Record<string, string>, ...given: string[]) {
    const [printed, errors]: string[][] = [[], []]
    const code = await runCommand(given, {
      print: (line) => printed?.push(line),
      printError: (line) => errors?.push(line),
      settings: () => ({ variables: found, path: '/srv/alcove.env', file: undefined, warnings: ['Careful.'] }),
      withOperator: () => Promise.reject(new Error('The database is opened.')),
    })
    return { code, printed, errors }
  }

  it('shows all settings or those that were changed, without secrets, and opens no database', async () => {
    const { PORT, ALCOVE_SECRET } = variables
    const all = await show({ PORT, ALCOVE_SECRET }, 'config')
    expect(all.code).toBe(0)
    expect(all.printed?.some((line) => /^HOST +default +127\.0\.0\.1$/.test(line))).toBe(true)
    const changed = await show({ PORT, ALCOVE_SECRET }, 'config', '--changed')
    expect(changed.printed?.map((line) => line.replace(/ +/g, ' '))).toEqual([
      'PORT environment 5200',
      'ALCOVE_SECRET environment ********',
      'There is no file /srv/alcove.env.',
      'Warning: Careful.',
    ])
    expect((await show({}, 'config', '--changed')).printed?.[0]).toBe('All settings have their defaults.')
  })

  it('shows also invalid settings, names the first mistake and exits with 1', async () => {
    const { code, printed, errors } = await show(variables, 'config', '--changed')
    expect(code).toBe(1)
    expect(printed?.some((line) => /^ALCOVE_SESSION_TTL +environment +7 days$/.test(line))).toBe(true)
    expect(errors).toEqual(['ALCOVE_SESSION_TTL must be a number and a unit, like 15m, 12h or 7d.'])
  })
})

describe('user list', () => {
  it('prints one line per user', async () => {
    const { email } = await app.createUser({ isActivated: false })
    const { code, printed } = await run('user', 'list')
    expect(code).toBe(0)
    expect(printed.find((line) => line.startsWith(email))?.split('\t')).toEqual([
      email,
      'free',
      '0 of 10 GB',
      'not activated',
      '2026-01-15T12:00:00.000Z',
    ])
  })
})

describe('user activate', () => {
  it('activates an account once and rejects an unknown address', async () => {
    const { email } = await app.createUser({ isActivated: false })
    expect(await run('user', 'activate', email.toUpperCase())).toMatchObject({
      code: 0,
      printed: [`${email} is activated now.`],
    })
    expect(await run('user', 'activate', email)).toMatchObject({
      code: 0,
      printed: [`${email} was activated already.`],
    })
    const nobody = 'nobody@example.com'
    expect(await run('user', 'activate', nobody)).toMatchObject({
      code: 1,
      errors: [`There is no user ${nobody}.`],
    })
  })
})

describe('user set-plan', () => {
  it('grants a plan that the sync with Stripe keeps, and takes it back with 0', async () => {
    const user = await app.createUser()
    expect(await run('user', 'set-plan', user.email, '8')).toMatchObject({
      code: 0,
      printed: [`${user.email} has the plan 5 TB Annually now.`],
    })
    await syncCustomers(app.services, new AbortController().signal)
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 8, allocated_bytes: 5 * 1024 ** 4 })
    expect((await user.client.call(getDashboard, {})).body.subscription).toMatchObject({
      plan: '5 TB Annually',
      status: 'active',
      price: 0,
      next_billing_date: null,
    })
    expect((await run('user', 'set-plan', user.email, '0')).printed).toEqual([`${user.email} has the plan free now.`])
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 0, plan_name: 'free' })
  })

  it('rejects a user who pays, and names the paid plan', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    for (const planId of ['8', '0']) {
      expect(await run('user', 'set-plan', user.email, planId)).toMatchObject({
        code: 1,
        errors: [`${user.email} pays for 2 TB Monthly. You can give a plan only to users who don't pay for one.`],
      })
    }
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 3 })
  })

  it('rejects an unknown plan and lists the plans, and rejects an unknown user', async () => {
    const { email } = await app.createUser()
    for (const planId of ['13', '1.5', 'seven', '', '0x1']) {
      const { code, errors } = await run('user', 'set-plan', email, planId)
      expect([code, errors[0]]).toEqual([1, expect.stringContaining('The plans are 0 (free), 1 (100 GB Monthly)')])
    }
    expect((await run('user', 'set-plan', 'nobody@example.com', '7')).code).toBe(1)
  })
})

describe('stripe sync-plans', () => {
  it('fails without Stripe keys', async () => {
    const { code, errors } = await run('stripe', 'sync-plans')
    expect([code, errors]).toEqual([1, ['STRIPE_SECRET_KEY is not set. The sandbox creates its prices by itself.']])
  })
})

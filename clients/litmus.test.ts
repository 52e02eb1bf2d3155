import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from './run-program.ts'
import { deployments, type ServedAccount, serveAccount } from './served-account.ts'

describe.each(deployments)('litmus on %s', (deployment) => {
  let account: ServedAccount
  beforeAll(async () => {
    account = await serveAccount(deployment)
  })
  afterAll(() => account.close())

  it.each(['basic', 'copymove', 'props', 'locks', 'http'])(
    'passes every test of %s without a warning',
    async (part) => {
      const { davUrl, email, secret, dir } = account
      const { output } = await runProgram('litmus', ['-k', davUrl, email, secret], { cwd: dir, env: { TESTS: part } })
      expect(output).toMatch(/0 failed\. 100\.0%/)
      expect(output).not.toMatch(/WARNING|FAIL|SKIPPED/)
    },
  )
})

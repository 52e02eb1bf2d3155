import { z } from 'zod'
import { defineCall } from './call.ts'
import { time } from './fields.ts'
import { HOUR } from './rate-limits.ts'

export const checkResult = z.object({
  id: z.string().describe('For example `mail`'),
  label: z.string().describe('What was checked, such as “Mail”'),
  state: z
    .enum(['ok', 'warning', 'failed', 'skipped'])
    .describe('`warning`: it works, but not well; `skipped`: there is nothing to check, or no way to find out'),
  message: z.string().describe('What was found'),
  fix: z.string().nullable().describe('What to do about a warning or failure'),
})
export type CheckResult = z.infer<typeof checkResult>
export type CheckState = CheckResult['state']

const results = z.object({
  checks: z.array(checkResult),
  checkedAt: time,
  serverTime: time.describe('The time of the server when it sent the response, to compare with another clock'),
})

export const getChecks = defineCall({
  method: 'GET',
  path: '/admin/checks',
  access: 'admin',
  scope: 'admin',
  summary:
    'Check the server’s surroundings: addresses, mail, payments, programs and disk. Results are kept for an hour',
  input: z.object({}),
  output: results,
})

export const runChecks = defineCall({
  method: 'POST',
  path: '/admin/checks/run',
  access: 'admin',
  scope: 'admin',
  summary: 'Check everything again now',
  rateLimit: { points: 120, seconds: HOUR },
  input: z.object({}),
  output: results,
})

export const sendTestMail = defineCall({
  method: 'POST',
  path: '/admin/checks/test-mail',
  access: 'admin',
  scope: 'admin',
  summary: 'Send a mail to the address of the administrator who makes the call',
  rateLimit: { points: 20, seconds: HOUR },
  input: z.object({}),
  output: z.object({ message: z.string() }),
})

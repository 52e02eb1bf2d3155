import { z } from 'zod'
import { checkResult } from './admin-checks.ts'
import { defineCall } from './call.ts'
import { time } from './fields.ts'

export const getOverview = defineCall({
  method: 'GET',
  path: '/admin/overview',
  access: 'admin',
  scope: 'admin',
  summary: 'Show version, users and storage, and everything that needs an administrator',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    startedAt: time.describe('When the server that responds was started'),
    users: z.object({
      total: z.int(),
      active: z.int().describe('Seen in the last 30 days'),
      created: z.int().describe('Signed up in the last 30 days'),
      suspended: z.int(),
    }),
    usedBytes: z.number().describe('What counts towards the quotas of all users'),
    freeBytes: z.number().describe('On the disk of the data folder'),
    problems: z.array(checkResult).describe('Warnings and failures of the checks'),
    checkedAt: time.nullable().describe('When the checks ran that take long. Null if they haven’t run since the start'),
  }),
})

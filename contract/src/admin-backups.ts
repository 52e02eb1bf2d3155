import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, time } from './fields.ts'

const run = z.object({
  id,
  kind: z.enum(['backup', 'verification']),
  state: z.enum(['running', 'done', 'failed']),
  folder: z.string(),
  server: z.string().describe('The name of the machine'),
  beganAt: time,
  endedAt: time.nullable(),
  error: z.string().nullable().describe('Why it failed or, if it is done, what is missing in it'),
  doneBytes: z.number(),
  totalBytes: z.number().nullable().describe('Null until it is known'),
  blobs: z.int().nullable(),
  copiedBytes: z.number().nullable().describe('What was not in the folder yet'),
  madeAt: time.nullable().describe('When the backup was made that was verified'),
})
export type BackupRun = z.infer<typeof run>

export const schedules = ['never', 'daily', 'weekly'] as const
const schedule = z.enum(schedules, 'every must be never, daily or weekly.')

export const getBackups = defineCall({
  method: 'GET',
  path: '/admin/backups',
  access: 'admin',
  scope: 'admin',
  summary: 'Show the last backup and verification, what is running, and earlier runs',
  input: z.object({}),
  output: z.object({
    folder: z
      .string()
      .nullable()
      .describe('`ALCOVE_BACKUP_DIR`. Null if it isn’t set: then only commands make backups'),
    every: schedule.describe('How often the server makes a backup by itself'),
    lastBackup: run.nullable().describe('The last one that was completed'),
    lastVerification: run.nullable().describe('The last one that succeeded'),
    runs: z.array(run).describe('The last 20, newest first'),
  }),
})

const message = z.object({ message: z.string() })

export const startBackup = defineCall({
  method: 'POST',
  path: '/admin/backups',
  access: 'admin',
  scope: 'admin',
  summary: 'Make a backup now, in the background',
  input: z.object({}),
  output: message,
})

export const startVerification = defineCall({
  method: 'POST',
  path: '/admin/backups/verify',
  access: 'admin',
  scope: 'admin',
  summary: 'Restore the rows of the last backup in a throw-away database and compare all bytes, in the background',
  input: z.object({}),
  output: message,
})

export const scheduleBackups = defineCall({
  method: 'PUT',
  path: '/admin/backups/schedule',
  access: 'admin',
  scope: 'admin',
  summary: 'Say how often the server makes a backup by itself',
  input: z.object({ every: schedule }),
  output: message,
})

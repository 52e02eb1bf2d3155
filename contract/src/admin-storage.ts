import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, time } from './fields.ts'

const bytes = z.number()
const day = z.iso.date()

export const getAdminStorage = defineCall({
  method: 'GET',
  path: '/admin/storage',
  access: 'admin',
  scope: 'admin',
  summary: 'Show what is stored, how it grows, who stores most, and what is damaged',
  input: z.object({}),
  output: z.object({
    store: z.object({
      kind: z.enum(['disk', 's3']),
      place: z.string().describe('The data folder, or the bucket'),
      endpoint: z.string().nullable().describe('The address of the S3 store'),
    }),
    disk: z.object({ freeBytes: bytes, totalBytes: bytes }).describe('The disk of the data folder'),
    databaseBytes: bytes,
    users: z.int(),
    usedBytes: bytes.describe('What counts towards the quotas of all users'),
    versionBytes: bytes.describe('The part of it that earlier versions take'),
    growth: z
      .object({ since: day, bytes })
      .nullable()
      .describe('Of `usedBytes`, over the last 30 days or since the first sample. Null on the first day'),
    samples: z.array(z.object({ day, usedBytes: bytes })).describe('The last 30 days, oldest first'),
    blobBytes: bytes
      .nullable()
      .describe('What all files took in the store at the last sample. Copies share their bytes'),
    largestUsers: z.array(z.object({ id, email: z.string(), usedBytes: bytes, allocatedBytes: bytes })),
    waitingForRemoval: z.object({ blobs: z.int(), bytes }),
    damaged: z.object({
      blobs: z.int(),
      owners: z
        .array(z.object({ email: z.string().nullable().describe('Null for deleted accounts'), files: z.int() }))
        .describe('Whose files and versions have these bytes'),
      isComplete: z.boolean().describe('False if only the owners of the first 1,000 damaged blobs were counted'),
    }),
    scrub: z.object({
      state: z.enum(['idle', 'waiting', 'running']).describe('`waiting`: requested or interrupted, and about to go on'),
      progress: z.number().nullable().describe('From 0 to 1 while it isn’t idle'),
      beganAt: time.nullable(),
      endedAt: time.nullable(),
    }),
  }),
})

export const startScrub = defineCall({
  method: 'POST',
  path: '/admin/storage/scrub',
  access: 'admin',
  scope: 'admin',
  summary: 'Read all stored bytes and compare them with what was stored. A server begins within a minute',
  input: z.object({}),
  output: z.object({ message: z.string() }),
})

import { sql } from 'kysely'
import { isLoopback } from '../../../config.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'
import { engineOf, latestMigration } from '../../../platform/db/database.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './check.ts'
import { codeOf } from './error-code.ts'

/** Mails can be handed over to the mail server. */
export const mail: Check = {
  id: 'mail',
  label: 'Mail',
  async run({ services: { mailer, config } }) {
    if (mailer.verify === undefined) {
      if (isLoopback(config.publicUrl)) return skipped('Mails go to the outbox, since no mail server is set.')
      return failed(
        'There is no mail server: nobody gets activation links, invitations and new passwords.',
        'Set ALCOVE_SMTP_URL, such as smtps://user:password@mail.example.com.',
      )
    }
    try {
      await mailer.verify()
      return ok('The mail server accepts the sign-in. Send a test mail to see whether mails arrive.')
    } catch (error) {
      return describeMailFailure(codeOf(error))
    }
  },
}

/** Returns what a failure of the mail server means. Its own words may repeat the sign-in, so they are left out. */
export function describeMailFailure(code: string): Finding {
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return failed(
      `The mail server rejects the user name or the password (${code}).`,
      'Correct them in ALCOVE_SMTP_URL. Special characters in them must be percent-encoded.',
    )
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    return failed(
      `The mail server refuses the mail (${code}).`,
      'Set ALCOVE_SUPPORT_EMAIL to an address from which it lets this user send.',
    )
  }
  if (code === 'ETLS' || code === 'ESOCKET') {
    return failed(
      `No secure connection to the mail server is possible (${code}).`,
      'Use smtps:// for port 465 and smtp:// for port 587 in ALCOVE_SMTP_URL, and check the name and the port.',
    )
  }
  return failed(
    `The mail server can’t be reached (${code}).`,
    'Check the name and the port in ALCOVE_SMTP_URL, and whether this machine may open connections to it.',
  )
}

/** Slower responses make every page slow. In milliseconds. */
const SLOW_DATABASE = 50
const QUERIES = 5

/** The database responds fast, and its tables are those of this version. */
export const database: Check = {
  id: 'database',
  label: 'Database',
  async run({ services: { db, config } }) {
    const isPostgres = engineOf(config) === 'postgres'
    const { rows } = isPostgres
      ? await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
      : await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    const name = `${isPostgres ? 'PostgreSQL' : 'SQLite'} ${rows[0]?.version.split(' ')[0]}`
    const last = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db)
    if (last.rows[0]?.name !== latestMigration()) {
      return failed(
        `The tables in ${name} are of another version than this program.`,
        'Start the server, which brings them up to date.',
      )
    }
    const times: number[] = []
    for (let query = 0; query < QUERIES; query++) {
      const begin = performance.now()
      await sql`select count(*) from site_settings`.execute(db)
      times.push(performance.now() - begin)
    }
    const time = times.sort((a, b) => a - b)[Math.floor(QUERIES / 2)] as number
    if (time > SLOW_DATABASE) {
      return warning(
        `${name} takes ${time.toFixed(0)} ms for the simplest query.`,
        isPostgres ? 'Run PostgreSQL near the server, and look at its load.' : 'Look at the load of the machine.',
      )
    }
    return ok(`${name} responds within ${Math.max(0.1, time).toFixed(1)} ms.`)
  },
}

/** Servers count rate limits together. */
export const redis: Check = {
  id: 'redis',
  label: 'Redis',
  async run({ services: { rateLimits, config } }) {
    try {
      if (await rateLimits.ping()) return ok('Redis responds.')
    } catch (error) {
      return failed(
        `Redis doesn’t respond (${codeOf(error)}): each server counts rate limits by itself.`,
        'Start Redis, or correct ALCOVE_REDIS_URL.',
      )
    }
    if (config.databaseUrl === undefined) return skipped('One server needs no Redis.')
    return skipped('Redis isn’t set. You need it only if you run several servers (ALCOVE_REDIS_URL).')
  },
}

const PROBE = Buffer.from('Alcove checks whether it can store bytes.')

/** Bytes can be stored, read and removed. */
export const storedBytes: Check = {
  id: 'stored-bytes',
  label: 'File store',
  async run({ services: { blobs, config } }) {
    const place = config.s3 ? `the bucket ${config.s3.bucket}` : 'the data folder'
    // If the server stops in between, the sweep removes the bytes.
    const key = createBlobKey()
    const begin = performance.now()
    try {
      await blobs.writeWhole(key, PROBE)
      const parts: Buffer[] = []
      for await (const part of blobs.openStream(key)) parts.push(part as Buffer)
      if (!Buffer.concat(parts).equals(PROBE)) {
        return failed(
          `What was stored in ${place} comes back changed.`,
          'Check the disk, or the S3 store and the proxy before it.',
        )
      }
      return ok(`Storing, reading and removing in ${place} works (${Math.round(performance.now() - begin)} ms).`)
    } catch (error) {
      return failed(
        `Nothing can be stored in ${place} (${codeOf(error)}).`,
        config.s3
          ? 'Check the ALCOVE_S3_… settings, and whether the key may read, write and delete objects of the bucket.'
          : 'Check that the disk is mounted, writable and not full.',
      )
    } finally {
      await blobs.remove(key).catch(() => {})
    }
  },
}

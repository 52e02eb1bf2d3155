import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Services } from '../../../context.ts'
import { engineOf, sqlitePath } from '../../../platform/db/database.ts'
import { formatStorage } from '../../../platform/mail/write-letter.ts'
import { findProgram } from '../../../platform/processes/operating-system.ts'
import { readOutput } from '../../../platform/processes/run-program.ts'
import { type Check, failed, ok, skipped, warning } from './check.ts'

const MEBIBYTE = 1024 * 1024
const PROBE_BYTES = 64 * MEBIBYTE
const SYNCS = 10
/** Below this, uploads wait for the disk. Bytes per second. */
const SLOW_DISK = 20 * MEBIBYTE
/** Changes wait for the disk as long as this, in milliseconds. Flash storage takes a few. */
const SLOW_SYNC = 50
const LITTLE_SPACE = 1024 * MEBIBYTE
const LITTLE_SHARE = 0.05

/** The disk of the data folder is fast and has free space. */
export const disk: Check = {
  id: 'disk',
  label: 'Disk',
  async run({ services: { config }, signal }) {
    const { bavail, bsize, blocks } = await statfs(config.dataDir)
    const free = bavail * bsize
    const space = `${formatStorage(free)} of ${formatStorage(blocks * bsize)} are free`
    if (free < LITTLE_SPACE) {
      return failed(`The disk of the data folder is almost full: ${space}.`, 'Free some space, or enlarge the disk.')
    }
    const { bytesPerSecond, syncTime } = await measureDisk(config.dataDir, signal)
    const speed = `it writes ${formatStorage(bytesPerSecond)} per second and takes ${syncTime.toFixed(1)} ms to save a change`
    if (free < blocks * bsize * LITTLE_SHARE) {
      return warning(
        `The disk of the data folder fills up: ${space}; ${speed}.`,
        'Free some space, or enlarge the disk.',
      )
    }
    if (bytesPerSecond < SLOW_DISK || syncTime > SLOW_SYNC) {
      return warning(
        `The disk of the data folder is slow: ${speed}.`,
        'Put the data folder (ALCOVE_DATA_DIR) on a local disk, best on flash storage, and not on a network share.',
      )
    }
    return ok(`${space[0]?.toUpperCase()}${space.slice(1)}; ${speed}.`)
  },
}

/** Writes to a file that has no name, so that nothing is left of it however this ends. */
async function measureDisk(folder: string, signal: AbortSignal): Promise<{ bytesPerSecond: number; syncTime: number }> {
  const path = join(folder, `disk-check-${randomBytes(6).toString('hex')}`)
  const file = await open(path, 'wx', 0o600)
  try {
    await rm(path)
    // Random, because some disks compress.
    const bytes = randomBytes(MEBIBYTE)
    const begin = performance.now()
    for (let written = 0; written < PROBE_BYTES; written += bytes.length) {
      signal.throwIfAborted()
      await file.write(bytes, 0, bytes.length, written)
    }
    await file.sync()
    const bytesPerSecond = PROBE_BYTES / ((performance.now() - begin) / 1000)
    const times: number[] = []
    for (let sync = 0; sync < SYNCS; sync++) {
      signal.throwIfAborted()
      const began = performance.now()
      await file.write(bytes, 0, 4096, sync * 4096)
      await file.datasync()
      times.push(performance.now() - began)
    }
    return { bytesPerSecond, syncTime: times.sort((a, b) => a - b)[SYNCS / 2] as number }
  } finally {
    await file.close()
  }
}

/** What thumbnails and playback need of ffmpeg. */
const ENCODERS = ['libx264', 'aac']
const DECODERS = ['h264', 'hevc', 'vp9', 'av1']
const INSTALL = 'Install ffmpeg, for example with “apt install ffmpeg”, and restart the server.'

/** The programs that work on videos are there, with the formats that people have. */
export const ffmpeg: Check = {
  id: 'ffmpeg',
  label: 'ffmpeg',
  async run({ services: { config }, signal }) {
    const [program, probe] = ['ffmpeg', 'ffprobe'].map((name) => findProgram(name, config.programPath))
    if (!program || !probe) {
      const missing = [!program && 'ffmpeg', !probe && 'ffprobe'].filter(Boolean).join(' and ')
      return warning(
        `${missing} can’t be found: videos have no thumbnails, and only formats that browsers know can be played.`,
        INSTALL,
      )
    }
    const [version, encoders, decoders] = await Promise.all([
      readOutput(program, ['-version'], signal),
      readOutput(program, ['-hide_banner', '-encoders'], signal),
      readOutput(program, ['-hide_banner', '-decoders'], signal),
    ])
    const has = (list: string, name: string) => new RegExp(`^ ?[A-Z.]{6} +(\\w*_)?${name}\\b`, 'm').test(list)
    const missing = [
      ...ENCODERS.filter((name) => !has(encoders, name)),
      ...DECODERS.filter((name) => !has(decoders, name) && !decoders.includes(`(codec ${name})`)),
    ]
    if (missing.length > 0) {
      return warning(
        `ffmpeg lacks ${missing.join(', ')}, so some videos can’t be played.`,
        'Install a complete ffmpeg, such as that of your distribution.',
      )
    }
    return ok(`ffmpeg ${/^ffmpeg version (\S+)/.exec(version)?.[1] ?? ''} has all formats that Alcove needs.`)
  },
}

const OTHERS = 0o077

/** The secret and the database can be read by nobody else. */
export const dataFolder: Check = {
  id: 'secret',
  label: 'Secret and permissions',
  async run({ services: { config } }) {
    const folder = await stat(config.dataDir)
    // The group may traverse the folder, so that nginx can read files in it.
    if ((folder.mode & 0o067) !== 0) {
      return failed(
        'Other users of this machine can read the data folder.',
        `Run chmod 700 ${config.dataDir}, or restart the server, which does so.`,
      )
    }
    // Nobody else can reach files in a folder that is closed to all others.
    const isClosed = (folder.mode & OTHERS) === 0
    const files = isClosed
      ? []
      : [
          ...(config.secret === undefined ? [join(config.dataDir, 'secret')] : []),
          ...(engineOf(config) === 'sqlite' ? [sqlitePath(config.dataDir)] : []),
        ]
    for (const path of files) {
      const { mode } = await stat(path)
      if ((mode & OTHERS) !== 0) {
        return failed(`Other users of this machine can read ${path}.`, `Run chmod 600 ${path}.`)
      }
    }
    if (config.secret !== undefined)
      return ok('The secret comes from ALCOVE_SECRET, and only Alcove can read its data.')
    return ok('The secret is in the data folder and in each backup, and only Alcove can read it.')
  },
}

/** Codes of authenticator apps, signatures and payments depend on the time. In milliseconds. */
const DIFFERS = 5000
const WRONG = 60_000

/** The clock agrees with that of another machine that the settings name. */
export const clock: Check = {
  id: 'clock',
  label: 'Clock',
  async run({ services, signal }) {
    const others = (await Promise.all([askDatabase(services), askStore(services, signal)])).filter(
      (one) => one !== undefined,
    )
    if (others.length === 0) {
      return skipped('The server knows no other clock. The page of the checks compares it with that of your browser.')
    }
    const worst = others.reduce((one, other) => (Math.abs(other.difference) > Math.abs(one.difference) ? other : one))
    const seconds = Math.round(Math.abs(worst.difference) / 1000)
    const size = Math.abs(worst.difference)
    const message = `The clock differs by ${seconds} s from that of ${worst.name}.`
    const fix = 'Turn on time synchronization on both machines, for example with “timedatectl set-ntp true”.'
    if (size > WRONG) return failed(message, fix)
    if (size > DIFFERS) return warning(message, fix)
    return ok(`The clock agrees with that of ${others.map(({ name }) => name).join(' and ')}.`)
  },
}

interface OtherClock {
  name: string
  difference: number
}

async function askDatabase({ db, config, clock: own }: Services): Promise<OtherClock | undefined> {
  if (engineOf(config) === 'sqlite') return undefined
  const { rows } = await sql<{
    now: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
  return { name: 'PostgreSQL', difference: (rows[0]?.now ?? 0) - own.now() }
}

/** Any response has the time, also a refusal. */
async function askStore({ config, clock: own }: Services, signal: AbortSignal): Promise<OtherClock | undefined> {
  if (!config.s3) return undefined
  const response = await fetch(config.s3.endpoint, { method: 'HEAD', redirect: 'manual', signal }).catch(
    () => undefined,
  )
  const date = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : { name: 'the S3 store', difference: date - own.now() }
}

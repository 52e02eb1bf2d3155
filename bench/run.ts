// `npm run bench`: starts the servers, measures, and prints one table. README.md explains it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { readAlcoveLogEnd } from './alcove.ts'
import { releaseControlGroups } from './control-group.ts'
import type { Row } from './measurements.ts'
import { type Options, readOptions, USAGE, UsageError } from './options.ts'
import { adminUsers } from './parts/admin-users.ts'
import { calls } from './parts/calls.ts'
import { confined } from './parts/confined.ts'
import { databases } from './parts/databases.ts'
import { down } from './parts/down.ts'
import { importing } from './parts/import.ts'
import { list } from './parts/list.ts'
import { many } from './parts/many.ts'
import { media } from './parts/media.ts'
import { memory } from './parts/memory.ts'
import { mixed } from './parts/mixed.ts'
import { requestLarge } from './parts/request-large.ts'
import { search } from './parts/search.ts'
import { servers } from './parts/servers.ts'
import { shared } from './parts/shared.ts'
import { small } from './parts/small.ts'
import { start } from './parts/start.ts'
import { thumbs } from './parts/thumbs.ts'
import { up } from './parts/up.ts'
import { vault } from './parts/vault.ts'
import { vaultLarge } from './parts/vault-large.ts'
import { versions } from './parts/versions.ts'
import { web } from './parts/web.ts'
import { webdav } from './parts/webdav.ts'
import { closeProcesses, stopProcesses } from './processes.ts'
import { findProgram } from './references.ts'
import { describeMachine, formatReport, saveReport } from './report.ts'
import type { Part, Stage } from './stage.ts'
import { createSource, type Source } from './transfers.ts'

const PARTS: Part[] = [
  up,
  down,
  small,
  list,
  databases,
  many,
  calls,
  memory,
  confined,
  start,
  mixed,
  servers,
  search,
  thumbs,
  web,
  media,
  vault,
  vaultLarge,
  versions,
  shared,
  requestLarge,
  webdav,
  adminUsers,
  importing,
]

let isInterrupted = false

async function bench(options: Options): Promise<void> {
  const dir = mkdtempSync(join(options.dir, 'alcove-bench-'))
  // If root starts the bench, nginx runs as another user, who must be able to read its directory.
  process.umask(0o022)
  chmodSync(dir, 0o711)
  const removeAll = async () => {
    await closeProcesses()
    rmSync(dir, { recursive: true, force: true, maxRetries: 10 })
    releaseControlGroups()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      if (isInterrupted) return
      isInterrupted = true
      await removeAll()
      process.exit(128 + constants.signals[signal])
    })
  }
  try {
    const machine = describeMachine(options)
    const rows = await measure(options, dir)
    if (isInterrupted || rows.length === 0) return
    const report = formatReport(machine, rows)
    console.log(report)
    if (options.isSaved) console.log(`Added to ${await saveReport(report, new Date())}`)
  } finally {
    if (!isInterrupted) await removeAll()
  }
}

async function measure(options: Options, dir: string): Promise<Row[]> {
  const rows: Row[] = []
  const wanted = PARTS.filter(({ name, isOnRequest }) =>
    options.parts.length === 0 ? !isOnRequest : options.parts.includes(name),
  )
  let source: Promise<Source> | undefined
  for (const part of wanted) {
    if (isInterrupted) break
    const say = (progress: string) => console.error(`${part.name}: ${progress}`)
    if (part.needsCurl && findProgram('curl') === undefined) {
      say('skipped, because curl is not installed: apt-get install curl')
      continue
    }
    const stage: Stage = {
      rounds: options.rounds,
      size: options.size,
      files: options.files,
      dir: join(dir, part.name),
      source: () => {
        source ??= createSource(join(dir, 'source'), options.size)
        return source
      },
      say,
    }
    rows.push(...(await runPart(part, stage)))
  }
  return rows
}

/** Runs a part. If it fails, reports that, sets the exit code and lets the other parts run. */
async function runPart(part: Part, stage: Stage): Promise<Row[]> {
  await mkdir(stage.dir)
  try {
    return await part.run(stage)
  } catch (error) {
    if (!isInterrupted) stage.say(`failed: ${(error as Error).stack}\n${readAlcoveLogEnd(stage.dir)}`)
    process.exitCode = 1
    return []
  } finally {
    // After an interrupt, the signal handler stops and removes everything.
    if (!isInterrupted) {
      await stopProcesses()
      await rm(stage.dir, { recursive: true, force: true, maxRetries: 10 })
    }
  }
}

try {
  await bench(
    readOptions(
      process.argv.slice(2),
      PARTS.map(({ name }) => name),
    ),
  )
} catch (error) {
  const isUsage = error instanceof UsageError
  if (!isInterrupted) console.error(isUsage ? `${error.message}\n\n${USAGE}` : error)
  process.exitCode = isUsage ? 2 : 1
}

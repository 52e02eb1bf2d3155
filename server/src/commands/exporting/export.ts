import { lstat, mkdir, writeFile as writeText } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Services } from '../../context.ts'
import { commandLine, noteAudit } from '../../modules/audit/index.ts'
import { readChildren } from '../../modules/items/index.ts'
import { pauseRemovals } from '../../modules/storage/index.ts'
import type { Database } from '../../platform/db/database.ts'
import type { UserRow } from '../../platform/db/tables.ts'
import { type Command, CommandError } from '../command.ts'
import { TransferReport } from '../importing/import-report.ts'
import { SkipError } from '../importing/source.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { Progress } from '../progress.ts'
import { getUser } from '../users.ts'
import { describeVault } from './describe-vault.ts'
import { type FileToWrite, writeFile, writing } from './write-file.ts'

const CONCURRENCY = 16

export const exportFiles: Command = {
  name: 'export',
  parameters: ['EMAIL', 'FOLDER'],
  options: { report: { value: 'FILE', summary: 'Write each skipped path and the reason to a file' } },
  summary: "Copy a user's files into a folder of this machine",
  details: [
    'Writes all files and folders with their dates, without the trash and earlier versions. Files of the vault come as the',
    'encrypted files that they are, in the folder "Vault". Files that are there already, with the same size and date, are',
    'left alone, so run the command again after an interruption. Nothing in the folder is replaced or deleted.',
    'The exit code is 1 if anything was skipped.',
  ],
  async run(operator, email = '', folder = '') {
    const { services, options, print } = operator
    const user = await getUser(services.db, email)
    const root = resolve(folder)
    await mkdir(root, { recursive: true })
    await services.db
      .transaction()
      .execute((tx) => noteAudit(services, tx, commandLine(), { action: 'files.export', target: user.email }))
    const report = new TransferReport(options.report)
    try {
      const progress = new Progress(
        { what: 'Exported', unit: 'files', ...(await countFiles(services.db, user)) },
        operator,
      )
      const isHeld = await pauseRemovals(services, async (isHeld) => {
        await new Export(services, report, progress).run(user, root).finally(() => report.print('Exported', print))
        return isHeld()
      })
      if (!isHeld) throw new CommandError('Files may have been removed meanwhile. Run the same command again.')
    } finally {
      report.close()
    }
    if (report.skippedCount > 0) throw new CommandError('Not everything was exported.')
  },
}

async function countFiles(db: Database, { id }: UserRow): Promise<{ items: number; bytes: number }> {
  const counted = await db
    .selectFrom('items')
    .select((eb) => [eb.fn.countAll<number>().as('items'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .where('owner_id', '=', id)
    .where('kind', '=', 'file')
    .where('trash_id', 'is', null)
    .executeTakeFirstOrThrow()
  return { items: counted.items, bytes: Number(counted.bytes ?? 0) }
}

/** A folder to be read, and its path on this machine and in the report. */
interface Place {
  readonly id: string
  readonly path: string
  readonly origin: string
}

type Waiting = FileToWrite & { readonly origin: string }

class Export {
  readonly #services: Services
  readonly #report: TransferReport
  readonly #progress: Progress

  constructor(services: Services, report: TransferReport, progress: Progress) {
    this.#services = services
    this.#report = report
    this.#progress = progress
  }

  async run(user: UserRow, root: string): Promise<void> {
    await this.#writeTree({ id: user.drive_root_id, path: root, origin: '' })
    const vault = await this.#placeOfVault(user, root)
    if (!vault || !(await this.#makeFolder(vault))) return
    await this.#writeTree(vault)
    const note = join(vault.path, 'How to open these files.txt')
    await writeText(note, describeVault(this.#services.config), { mode: 0o600 })
  }

  /** Returns where the vault goes, or undefined if it is empty. The drive may have a folder of its name. */
  async #placeOfVault({ drive_root_id, vault_root_id }: UserRow, root: string): Promise<Place | undefined> {
    const namesOf = (id: string) =>
      this.#services.db.selectFrom('items').select('name').where('parent_id', '=', id).where('trashed_at', 'is', null)
    if (!(await namesOf(vault_root_id).limit(1).executeTakeFirst())) return undefined
    const taken = new Set(
      (await namesOf(drive_root_id).where('name', 'like', 'Vault%').execute()).map(({ name }) => name),
    )
    let name = 'Vault'
    for (let number = 1; taken.has(name); number++) name = `Vault (${number})`
    return { id: vault_root_id, path: join(root, name), origin: name }
  }

  async #writeTree(top: Place): Promise<void> {
    for await (const _written of mapConcurrently(this.#files(top), CONCURRENCY, (file) => this.#write(file)));
  }

  /** Yields the files of a tree, and makes its folders. */
  async *#files(top: Place): AsyncGenerator<Waiting> {
    const waiting = [top]
    for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
      for await (const rows of readChildren(this.#services.db, folder.id)) {
        for (const row of rows) {
          // A folder that somebody else shares is no file of the user.
          if (row.mount_of !== null) continue
          const path = join(folder.path, row.name)
          const origin = folder.origin === '' ? row.name : `${folder.origin}/${row.name}`
          const place = { id: row.id, path, origin }
          if (row.kind === 'folder') {
            if (await this.#makeFolder(place)) waiting.push(place)
          } else {
            const { blob_key, size, modified_at } = row
            yield { ...place, blobKey: blob_key as string, size, modifiedAt: modified_at ?? row.created_at }
          }
        }
      }
    }
  }

  /** Returns false if that can't be. Then nothing in it is written. */
  async #makeFolder({ path, origin }: Place): Promise<boolean> {
    try {
      await writing(async () => {
        await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST' || !(await lstat(path)).isDirectory()) throw error
        })
      })
      return true
    } catch (error) {
      if (!(error instanceof SkipError)) throw error
      this.#report.skip(`${origin}/`, error.message)
      return false
    }
  }

  async #write(file: Waiting): Promise<void> {
    let counted = 0
    const onBytes = (bytes: number) => {
      counted += bytes
      this.#progress.pass(bytes)
    }
    try {
      const count = (await writeFile(this.#services.blobs, file, onBytes)) ? this.#report.done : this.#report.present
      count.files += 1
      count.bytes += file.size
    } catch (error) {
      if (!(error instanceof SkipError)) throw error
      this.#report.skip(file.origin, error.message)
    } finally {
      this.#progress.add(Math.max(file.size - counted, 0))
    }
  }
}

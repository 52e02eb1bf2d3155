import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { findSibling } from '../destination.ts'

/** What an import compares with its own files. */
type PresentItem = Pick<ItemRow, 'name' | 'kind' | 'size' | 'modified_at'>

/** How many folders are remembered. Others are found again. */
const MAX_KNOWN = 10_000

/** Finds what is in the drive already. Folders that were found are remembered, so each page of names costs one statement. */
export class PresentItems {
  readonly #db: Database
  readonly #user: SessionUser
  readonly #folders = new Map<string, string>()

  constructor(db: Database, user: SessionUser) {
    this.#db = db
    this.#user = user
  }

  /** Returns the items of a folder that have one of these names, by name. */
  async find(folders: readonly string[], names: readonly string[]): Promise<Map<string, PresentItem>> {
    const folderId = await this.#findFolder(folders)
    if (folderId === undefined || names.length === 0) return new Map()
    const rows = await this.#db
      .selectFrom('items')
      .select(['name', 'kind', 'size', 'modified_at'])
      .where('parent_id', '=', folderId)
      .where('trashed_at', 'is', null)
      .where(isAmong(this.#db, 'name', names))
      .execute()
    return new Map(rows.map((row) => [row.name, row]))
  }

  /** Returns the id of a folder, or undefined if there is none at this path. */
  async #findFolder(folders: readonly string[]): Promise<string | undefined> {
    const name = folders.at(-1)
    if (name === undefined) return this.#user.driveRootId
    const path = folders.join('/')
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const parentId = await this.#findFolder(folders.slice(0, -1))
    if (parentId === undefined) return undefined
    const found = await findSibling(this.#db, { id: parentId }, name)
    if (found?.kind !== 'folder') return undefined
    if (this.#folders.size >= MAX_KNOWN) this.#folders.clear()
    this.#folders.set(path, found.id)
    return found.id
  }
}

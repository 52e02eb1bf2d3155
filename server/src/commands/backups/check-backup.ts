import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMigrationKnown } from '../../platform/db/database.ts'
import { CommandError } from '../command.ts'
import { digestFile } from './lines.ts'
import { type Manifest, SECRET, tablePath } from './manifest.ts'
import { digestSecret } from './secret.ts'

/** Refuses a backup whose tables are not what was written, or that a newer version has made. */
export async function checkBackup(folder: string, manifest: Manifest): Promise<void> {
  if (!isMigrationKnown(manifest.migration)) {
    throw new CommandError(`${folder} was made by version ${manifest.version}, which is newer than this one.`)
  }
  for (const { name, sha256 } of manifest.tables) {
    if ((await digestFile(tablePath(folder, manifest, name)).catch(() => undefined)) !== sha256) {
      throw new CommandError(`${folder} is damaged: the table ${name} is not what was written.`)
    }
  }
  const secret = await readFile(join(folder, manifest.folder, SECRET), 'utf8').catch(() => '')
  if (digestSecret(secret) !== manifest.secretSha256) {
    throw new CommandError(`${folder} is damaged: the secret is not what was written.`)
  }
}

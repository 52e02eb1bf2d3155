import { resolve } from 'node:path'
import { checkBackup } from './backups/check-backup.ts'
import { getManifest } from './backups/manifest.ts'
import { prepareRestore } from './backups/prepare-restore.ts'
import { putBack } from './backups/put-back.ts'
import { runChecks } from './checks/run-checks.ts'
import { type Command, CommandError } from './command.ts'

export const restore: Command = {
  name: 'restore',
  parameters: ['DIR'],
  summary: 'Put a backup back, into an empty data directory and database',
  leavesTables: true,
  async prepare(config, directory = '') {
    const folder = resolve(directory)
    const manifest = await getManifest(folder)
    await checkBackup(folder, manifest)
    await prepareRestore(config, folder, manifest)
  },
  async run(operator, directory = '') {
    const folder = resolve(directory)
    const manifest = await getManifest(folder)
    if (!(await operator.services.blobs.isEmpty())) {
      throw new CommandError('The bucket is not empty: a backup is restored into an empty one alone.')
    }
    await putBack(operator, folder, manifest)
    const faults = await runChecks(operator)
    if (faults > 0) {
      throw new CommandError(
        `Restored what ${folder} has, but something is wrong in ${faults} ${faults === 1 ? 'place' : 'places'}.`,
      )
    }
    operator.print(`Restored the backup of ${manifest.madeAt}. Everything is whole.`)
  },
}

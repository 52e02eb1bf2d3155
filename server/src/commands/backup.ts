import { resolve } from 'node:path'
import { describeSize } from '../modules/items/index.ts'
import { findRemovalPause, pauseRemovals } from '../modules/storage/index.ts'
import { makeBackup } from './backups/make-backup.ts'
import { claimFolder } from './backups/manifest.ts'
import { readSecret } from './backups/secret.ts'
import { type Command, CommandError } from './command.ts'

export const backup: Command = {
  name: 'backup',
  parameters: ['DIR'],
  summary: 'Save everything into a folder; what is there from the last time is not copied again',
  async run(operator, directory = '') {
    const { services, config, print } = operator
    const folder = resolve(directory)
    const secret = await readSecret(config)
    if (await findRemovalPause(services.db, services.clock.now()).executeTakeFirst()) {
      throw new CommandError('Another backup is being made, or was broken off less than five minutes ago.')
    }
    await claimFolder(folder, secret)
    const { manifest, copied } = await pauseRemovals(services, (isHeld) =>
      makeBackup(operator, { folder, secret, isHeld }),
    )
    print(
      `Backed up to ${folder}: ${manifest.blobs} blobs, ${describeSize(manifest.bytes)}; new among them ${copied.blobs}, ${describeSize(copied.bytes)}.`,
    )
    const { length } = manifest.damaged
    if (length > 0) {
      throw new CommandError(`${length} missing or damaged ${length === 1 ? 'blob is' : 'blobs are'} not in it.`)
    }
  },
}

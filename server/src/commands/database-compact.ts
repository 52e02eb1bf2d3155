import { statSync } from 'node:fs'
import { describeSize } from '../modules/items/index.ts'
import { lockDataFolder } from '../platform/data-folder.ts'
import { compactDatabase, estimateCompaction } from '../platform/db/compact-database.ts'
import { engineOf, sqlitePath } from '../platform/db/database.ts'
import { type Command, CommandError } from './command.ts'
import { showPhase } from './progress.ts'

export const databaseCompact: Command = {
  name: 'database compact',
  parameters: [],
  summary: 'Rewrite the SQLite file without free space, while the server is stopped',
  details: [
    'The server returns free space by itself, so this is needed only once, for a large file of version 0.2 or older. The disk',
    'needs free space for twice what is in use. If the command is interrupted, the file stays as it was.',
  ],
  async run({ services: { db }, config, print, status }) {
    if (engineOf(config) !== 'sqlite')
      throw new CommandError('The database is PostgreSQL, which reuses free space by itself.')
    const lock = lockDataFolder(config.dataDir)
    try {
      const { content, missing } = await estimateCompaction({ db, config })
      if (missing > 0) {
        throw new CommandError(
          `The disk of ${config.dataDir} has too little free space: free ${describeSize(missing)} and run the command again.`,
        )
      }
      const sizeOfFile = () => statSync(sqlitePath(config.dataDir)).size
      const before = sizeOfFile()
      showPhase({ status }, `Rewriting ${describeSize(content)}`)
      await compactDatabase(config)
      print(`The database took ${describeSize(before)} and takes ${describeSize(sizeOfFile())} now.`)
    } finally {
      lock.release()
    }
  },
}

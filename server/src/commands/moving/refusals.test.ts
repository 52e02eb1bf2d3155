import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { environmentOf, runTestCommand } from '../../testing/clients/operator.ts'
import { createS3Client } from '../../testing/engines/s3-client.ts'
import {
  file,
  isOnPostgres,
  makeDirectory,
  migrate,
  open,
  s3,
  setUpMoving,
  source,
  store,
  target,
  writeTarget,
} from '../../testing/factories/moving.ts'

setUpMoving()

/** Runs a move that is expected to fail, and returns the error message. */
async function getError(to?: string): Promise<string | undefined> {
  const { code, errors } = await migrate(to)
  expect(code).toBe(1)
  return errors.at(-1)
}

it('names the invalid setting or the problem with the target file', async () => {
  const { dataDir } = target
  expect(await getError(join(dataDir, 'none.env'))).toMatch(/none\.env can't be read \(ENOENT\)\. TARGET is a file/)
  const misspelt = await writeTarget(target, { ALCOVE_S3_BUKET: 'bytes' })
  expect(await getError(misspelt)).toMatch(
    /target-\w+\.env, line 11: ALCOVE_S3_BUKET is not a setting of Alcove\. Did you mean ALCOVE_S3_BUCKET\?$/,
  )
  const half = await writeTarget(target, { ALCOVE_S3_BUCKET: '' })
  expect(await getError(half)).toMatch(/target-.*: ALCOVE_S3_BUCKET is missing: an S3 store needs/)
  const wrong = await writeTarget(target, { ALCOVE_DATABASE_URL: 'mysql://db/alcove' })
  expect(await getError(wrong)).toMatch(/: ALCOVE_DATABASE_URL must be a URL that starts with postgres:/)
  const noBucket = await writeTarget(target, { ALCOVE_S3_BUCKET: 'other' })
  expect(await getError(noBucket)).toBe("ALCOVE_S3_BUCKET names a bucket that doesn't exist in the store.")
  const unreachable = await writeTarget(target, { ALCOVE_DATABASE_URL: 'postgres://127.0.0.1:1/alcove' })
  expect(await getError(unreachable)).toMatch(/^The database cannot be reached: /)
})

it('rejects a target with the database or the store of the source', async () => {
  const here = source.services.config
  const sameDatabase = await writeTarget({ ...target, databaseUrl: here.databaseUrl, dataDir: here.dataDir })
  expect(await getError(sameDatabase)).toMatch(/names the current database\. Database and store/)
  const sameStore = await writeTarget({
    ...target,
    databaseUrl: 'postgres://db/alcove',
    dataDir: here.dataDir,
    s3: undefined,
  })
  expect(await getError(sameStore)).toMatch(/names the current store\. Database and store/)
})

it('rejects a data directory or bucket that has other content', async () => {
  await store('a.txt', 'a')
  const { dataDir } = target
  await writeFile(join(dataDir, 'holiday.jpg'), 'mine')
  expect(await getError()).toBe(`${dataDir} is not empty. Use a new data directory or the current one.`)

  const { config: elsewhere } = await makeDirectory()
  const fresh = await writeTarget({ ...target, dataDir: elsewhere.dataDir })
  const client = createS3Client(s3.settings)
  await client.send(new PutObjectCommand({ Bucket: s3.settings.bucket, Key: 'holiday.jpg', Body: 'mine' }))
  client.destroy()
  expect(await getError(fresh)).toMatch(/^The bucket \S+ at http.* is not empty\. Choose an empty one\.$/)
})

it('rejects a database that has users, even if they have no files', async () => {
  const used = await open({ ...target, s3: undefined })
  await used.createUser()
  await used.stop()
  expect(await getError()).toBe('The target database is not empty. Choose an empty database.')
})

it('rejects a started move from another Alcove or with another store', async () => {
  await store('a.txt', 'a')
  expect(await getError()).toContain('A server or another command is running')
  const { config: folder } = await makeDirectory()
  const otherStore = await writeTarget(
    { ...target, s3: undefined },
    isOnPostgres ? { ALCOVE_DATA_DIR: folder.dataDir } : {},
  )
  expect(await getError(otherStore)).toMatch(/^The move was started with the bucket \S+ at /)
  const stranger = await open((await makeDirectory()).config)
  expect((await migrate(file, stranger.services.config)).errors).toEqual([
    'Another Alcove is being moved into this database. Choose another database.',
  ])
})

it('rejects another secret, because nobody could sign in with it', async () => {
  const other = await writeTarget(target, { ALCOVE_SECRET: 'another secret altogether' })
  expect(await getError(other)).toMatch(/^ALCOVE_SECRET differs from the current secret/)
})

it('fails if there is no Alcove in the current data directory', async () => {
  const { config } = await makeDirectory()
  expect((await migrate(file, config)).errors).toEqual([`There is no Alcove in ${config.dataDir}.`])
})

it('lists the S3 settings of the target file in its help', async () => {
  const { code, printed } = await runTestCommand(target, source.services.clock, 'migrate-to', '--help')
  expect(code).toBe(0)
  expect(printed[0]).toBe('Usage: alcove migrate-to TARGET')
  for (const name of Object.keys(environmentOf(target)).filter((variable) => variable.startsWith('ALCOVE_S3_'))) {
    expect(printed.join('\n')).toContain(name)
  }
})

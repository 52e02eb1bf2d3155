import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
import { environmentOf, typeCommand } from '../../testing/clients/operator.ts'
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

/** What the operator is told when it cannot be done. */
async function refusalOf(to?: string): Promise<string | undefined> {
  const { code, complaints } = await migrate(to)
  expect(code).toBe(1)
  return complaints.at(-1)
}

it('settings that cannot be are told by their names, before anything is made', async () => {
  const { dataDir } = target
  expect(await refusalOf(join(dataDir, 'none.env'))).toMatch(/none\.env can't be read \(ENOENT\)\. TARGET is a file/)
  const misspelt = await writeTarget(target, { ALCOVE_S3_BUKET: 'bytes' })
  expect(await refusalOf(misspelt)).toBe(`${misspelt}: ALCOVE_S3_BUKET is not a setting of Alcove.`)
  const half = await writeTarget(target, { ALCOVE_S3_BUCKET: '' })
  expect(await refusalOf(half)).toMatch(/target-.*: ALCOVE_S3_BUCKET is missing: an S3 store needs/)
  const wrong = await writeTarget(target, { ALCOVE_DATABASE_URL: 'mysql://db/alcove' })
  expect(await refusalOf(wrong)).toMatch(/: ALCOVE_DATABASE_URL is an address that starts with postgres:/)
  const noBucket = await writeTarget(target, { ALCOVE_S3_BUCKET: 'other' })
  expect(await refusalOf(noBucket)).toBe("ALCOVE_S3_BUCKET names a bucket that doesn't exist in the store.")
  const nobody = await writeTarget(target, { ALCOVE_DATABASE_URL: 'postgres://127.0.0.1:1/alcove' })
  expect(await refusalOf(nobody)).toMatch(/^The database cannot be reached: /)
})

it('a place that shares database or store with the old one is none', async () => {
  const here = source.services.config
  const sameDatabase = await writeTarget({ ...target, databaseUrl: here.databaseUrl, dataDir: here.dataDir })
  expect(await refusalOf(sameDatabase)).toMatch(/names the current database\. Database and store/)
  const sameStore = await writeTarget({
    ...target,
    databaseUrl: 'postgres://db/alcove',
    dataDir: here.dataDir,
    s3: undefined,
  })
  expect(await refusalOf(sameStore)).toMatch(/names the current store\. Database and store/)
})

it('a place where other things are is left alone', async () => {
  await store('a.txt', 'a')
  const { dataDir } = target
  await writeFile(join(dataDir, 'holiday.jpg'), 'mine')
  expect(await refusalOf()).toBe(`${dataDir} is not empty. Use a new data directory or the current one.`)

  const { config: elsewhere } = await makeDirectory()
  const fresh = await writeTarget({ ...target, dataDir: elsewhere.dataDir })
  const client = createS3Client(s3.settings)
  await client.send(new PutObjectCommand({ Bucket: s3.settings.bucket, Key: 'holiday.jpg', Body: 'mine' }))
  client.destroy()
  expect(await refusalOf(fresh)).toMatch(/^The bucket \S+ at http.* is not empty\. Choose an empty one\.$/)
})

it('a database with users is left alone, also where its server has no files', async () => {
  const used = await open({ ...target, s3: undefined })
  await used.createUser()
  await used.stop()
  expect(await refusalOf()).toBe('The target database is not empty. Choose an empty database.')
})

it('a place that somebody else is moving to, or with another store, is left alone', async () => {
  await store('a.txt', 'a')
  expect(await refusalOf()).toContain('A server or another command is running')
  const { config: folder } = await makeDirectory()
  const otherStore = await writeTarget(
    { ...target, s3: undefined },
    isOnPostgres ? { ALCOVE_DATA_DIR: folder.dataDir } : {},
  )
  expect(await refusalOf(otherStore)).toMatch(/^The move was started with the bucket \S+ at /)
  const stranger = await open((await makeDirectory()).config)
  expect((await migrate(file, stranger.services.config)).complaints).toEqual([
    'Another Alcove is being moved into this database. Choose another database.',
  ])
})

it('another secret than that of now is refused, since nobody could sign in with it', async () => {
  const other = await writeTarget(target, { ALCOVE_SECRET: 'another secret altogether' })
  expect(await refusalOf(other)).toMatch(/^ALCOVE_SECRET differs from the current secret/)
})

it('where there is no Alcove, none is made', async () => {
  const { config } = await makeDirectory()
  expect((await migrate(file, config)).complaints).toEqual([`There is no Alcove in ${config.dataDir}.`])
})

it('its help says what the file has in it', async () => {
  const { code, printed } = await typeCommand(target, source.services.clock, 'migrate-to', '--help')
  expect(code).toBe(0)
  expect(printed[0]).toBe('Usage: npm run -s alcove -- migrate-to TARGET')
  for (const name of Object.keys(environmentOf(target)).filter((variable) => variable.startsWith('ALCOVE_S3_'))) {
    expect(printed.join('\n')).toContain(name)
  }
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'
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
} from '../../testing/moving.ts'
import { environmentOf, typeCommand } from '../../testing/operator.ts'
import { createS3Client } from '../../testing/s3-client.ts'

setUpMoving()

/** What the operator is told when it cannot be done. */
async function refusalOf(to?: string): Promise<string | undefined> {
  const { code, complaints } = await migrate(to)
  expect(code).toBe(1)
  return complaints.at(-1)
}

it('settings that cannot be are told by their names, before anything is made', async () => {
  const { dataDir } = target
  expect(await refusalOf(join(dataDir, 'none.env'))).toMatch(/none\.env cannot be read \(ENOENT\)\. TARGET is a file/)
  const misspelt = await writeTarget(target, { ALCOVE_S3_BUKET: 'bytes' })
  expect(await refusalOf(misspelt)).toBe(`${misspelt}: ALCOVE_S3_BUKET is no setting of Alcove.`)
  const half = await writeTarget(target, { ALCOVE_S3_BUCKET: '' })
  expect(await refusalOf(half)).toMatch(/target-.*: ALCOVE_S3_BUCKET is missing: an S3 store needs/)
  const wrong = await writeTarget(target, { ALCOVE_DATABASE_URL: 'mysql://db/alcove' })
  expect(await refusalOf(wrong)).toMatch(/: ALCOVE_DATABASE_URL is an address that starts with postgres:/)
  const noBucket = await writeTarget(target, { ALCOVE_S3_BUCKET: 'other' })
  expect(await refusalOf(noBucket)).toBe('ALCOVE_S3_BUCKET names a bucket that the store does not have.')
  const nobody = await writeTarget(target, { ALCOVE_DATABASE_URL: 'postgres://127.0.0.1:1/alcove' })
  expect(await refusalOf(nobody)).toMatch(/^The database cannot be reached: /)
})

it('a place that shares database or store with the old one is none', async () => {
  const here = source.services.config
  const sameDatabase = await writeTarget({ ...target, databaseUrl: here.databaseUrl, dataDir: here.dataDir })
  expect(await refusalOf(sameDatabase)).toMatch(/names the database that everything lies in now\. Database and store/)
  const sameStore = await writeTarget({
    ...target,
    databaseUrl: 'postgres://db/alcove',
    dataDir: here.dataDir,
    s3: undefined,
  })
  expect(await refusalOf(sameStore)).toMatch(/names the store that the bytes lie in now\. Database and store/)
})

it('a place where other things are is left alone', async () => {
  await store('a.txt', 'a')
  const { dataDir } = target
  await writeFile(join(dataDir, 'holiday.jpg'), 'mine')
  expect(await refusalOf()).toBe(`${dataDir} is not empty. Name a new data directory, or the one of now.`)

  const { config: elsewhere } = await makeDirectory()
  const fresh = await writeTarget({ ...target, dataDir: elsewhere.dataDir })
  const client = createS3Client(s3.settings)
  await client.send(new PutObjectCommand({ Bucket: s3.settings.bucket, Key: 'holiday.jpg', Body: 'mine' }))
  client.destroy()
  expect(await refusalOf(fresh)).toMatch(/^The bucket \S+ at http.* is not empty\. Name an empty one\.$/)
})

it('a database with users is left alone, also where its server has no files', async () => {
  const used = await open({ ...target, s3: undefined })
  await used.createUser()
  await used.stop()
  expect(await refusalOf()).toBe('The database to move to is not empty. Name an empty one.')
})

it('a place that somebody else is moving to, or with another store, is left alone', async () => {
  await store('a.txt', 'a')
  expect(await refusalOf()).toContain('The server is running')
  const { config: folder } = await makeDirectory()
  const otherStore = await writeTarget(
    { ...target, s3: undefined },
    isOnPostgres ? { ALCOVE_DATA_DIR: folder.dataDir } : {},
  )
  expect(await refusalOf(otherStore)).toMatch(/^The moving was begun with the bucket \S+ at /)
  const stranger = await open((await makeDirectory()).config)
  expect((await migrate(file, stranger.services.config)).complaints).toEqual([
    'Into this database another Alcove is being moved. Name another one.',
  ])
})

it('another secret than that of now is refused, since nobody could sign in with it', async () => {
  const other = await writeTarget(target, { ALCOVE_SECRET: 'another secret altogether' })
  expect(await refusalOf(other)).toMatch(/^ALCOVE_SECRET is another one than now/)
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

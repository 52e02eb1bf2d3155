import { randomBytes } from 'node:crypto'
import { chmod, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runTestCommand } from '../../../testing/clients/operator.ts'
import { app, download, listIn, namesIn, setUpDrive, user } from '../../../testing/factories/drive.ts'
import {
  beach,
  datesIn,
  expectImported,
  type Files,
  folder,
  folderAt,
  importTakeout,
  setUpTakeout,
  takenAt,
  takeout,
  writeFolder,
  writeTar,
  writeZip,
} from '../../../testing/factories/takeout.ts'

setUpDrive()
setUpTakeout()

const withoutSidecars = Object.fromEntries(Object.entries(takeout).filter(([path]) => !path.includes('json')))
const onlySidecars = Object.fromEntries(Object.entries(takeout).filter(([path]) => path.includes('json')))

async function expectImportedTwice(...parts: string[]): Promise<void> {
  const { code, printed, errors } = await importTakeout(...parts)
  expect([code, errors]).toEqual([0, []])
  expect(printed).toEqual([expect.stringMatching(/^Imported: 6 files, /)])
  await expectImported()
  expect((await download('beach.jpg', await folderAt('Google Fotos', 'Italy'))).equals(beach)).toBe(true)
  expect((await importTakeout(...parts)).printed[1]).toMatch(/^Already there: 6 files/)
  expect(await runTestCommand(app.services.config, app.clock, 'verify')).toMatchObject({ code: 0 })
}

describe('an import of a Takeout', () => {
  it('reads an extracted one, with the dates of the sidecars, and stores photos of albums once', async () => {
    await expectImportedTwice(await writeFolder(takeout))
  })

  it('reads .zip archives, whose sidecars may be in another part than their photos', async () => {
    await expectImportedTwice(await writeZip('1.zip', withoutSidecars), await writeZip('2.zip', onlySidecars))
  })

  it('reads .tgz archives, whose sidecars may be in another part than their photos', async () => {
    await expectImportedTwice(await writeTar('1.tgz', onlySidecars), await writeTar('2.tgz', withoutSidecars))
  })

  it('reads parts of different kinds together', async () => {
    const [first = [], ...others] = Object.entries(takeout)
    const parts = [[first], others.slice(0, 4), others.slice(4)].map((some) => Object.fromEntries(some) as Files)
    const [one = {}, two = {}, three = {}] = parts
    await expectImportedTwice(
      await writeZip('1.zip', one),
      await writeTar('2.tar', two),
      await writeTar('3.tar.gz', three),
    )
  })

  it('imports files that are in two parts once', async () => {
    await expectImportedTwice(await writeTar('1.tgz', takeout), await writeZip('2.zip', takeout))
  })

  it('reports files whose name has another file in another part', async () => {
    const parts = [
      await writeTar('1.tgz', { 'Takeout/Drive/a': 'one' }),
      await writeTar('2.tgz', { 'Takeout/Drive/a': 'other' }),
    ]
    expect((await importTakeout(...parts)).printed.slice(2)).toEqual([
      '  Takeout/Drive/a: another file with this name is in another part',
    ])
    expect((await download('a', await folderAt('Drive'))).toString()).toBe('one')
  })

  it('reports sidecars whose photo is missing', async () => {
    const path = await writeZip('part.zip', {
      'Takeout/Google Photos/Photos from 2019/there.jpg': randomBytes(200_000),
      'Takeout/Google Photos/Photos from 2019/there.jpg.json': takenAt(1),
      'Takeout/Google Photos/Photos from 2019/elsewhere.jpg.json': takenAt(2),
    })
    expect((await importTakeout(path)).printed.slice(1)).toEqual([
      'Skipped: 1.',
      '  Takeout/Google Photos/Photos from 2019/elsewhere.jpg.json: the photo that it describes is missing; it may be in another part of the archive',
    ])
  })

  it('reads only the parts of a Takeout together, not several folders', async () => {
    const several = await runTestCommand(app.services.config, app.clock, 'import', user.email, folder, folder)
    expect([several.code, several.errors[0]]).toEqual([
      2,
      'Only the parts of a Google Takeout (--takeout) can be several.',
    ])
  })
})

const PHOTOS = 'Takeout/Google Photos'

describe('the date of a photo', () => {
  it.each([
    ['a number of seconds as text', '1560000000', '2019-06-08T13:20:00.000Z'],
    ['a time before 1970', '-86400', '1970-01-01T00:00:00.000Z'],
    ['a time that is too late', '999999999999999', '9999-12-31T23:59:59.999Z'],
    ['nothing', '', '2020-09-13T12:26:40.000Z'],
    ['a text', 'yesterday', '2020-09-13T12:26:40.000Z'],
  ])('is read from a sidecar with %s', async (_what, timestamp, date) => {
    await importTakeout(
      await writeTar('t.tgz', { [`${PHOTOS}/Album/a.jpg`]: 'a', [`${PHOTOS}/Album/a.jpg.json`]: takenAt(timestamp) }),
    )
    expect(await datesIn('Google Photos', 'Album')).toMatchObject({ 'a.jpg': date })
  })

  it('is that of the file if the sidecar is damaged, which is imported as it is', async () => {
    const damaged = [
      '{"photoTakenTime":',
      'null',
      '[]',
      '{"photoTakenTime":null}',
      '{"photoTakenTime":{"timestamp":{}}}',
    ]
    const files = damaged.flatMap((content, index) => [
      [`${PHOTOS}/Album/${index}.jpg`, 'a'],
      [`${PHOTOS}/Album/${index}.jpg.json`, content],
    ])
    const { code } = await importTakeout(await writeTar('t.tgz', Object.fromEntries(files)))
    expect(code).toBe(0)
    const dates = await datesIn('Google Photos', 'Album')
    expect(Object.keys(dates)).toHaveLength(10)
    expect(new Set(Object.values(dates))).toEqual(new Set(['2020-09-13T12:26:40.000Z']))
  })

  it('comes from the folder of the year if the album has no sidecar', async () => {
    await importTakeout(
      await writeTar('t.tgz', {
        [`${PHOTOS}/Photos from 2019/a.jpg`]: beach,
        [`${PHOTOS}/Photos from 2019/a.jpg.json`]: takenAt(1_560_000_000),
        [`${PHOTOS}/Album/a.jpg`]: beach,
        [`${PHOTOS}/Album/metadata.json`]: '{"title":"Album","date":{}}',
      }),
    )
    expect(await datesIn('Google Photos')).toEqual({ Album: '' })
    expect(await datesIn('Google Photos', 'Album')).toEqual({ 'a.jpg': '2019-06-08T13:20:00.000Z' })
  })
})

describe('a photo in an album', () => {
  const albumWith = (json: string, yearFolder = 'Photos from 2019', album = 'Album'): Files => ({
    [`${PHOTOS}/${yearFolder}/a.jpg`]: beach,
    [`${PHOTOS}/${yearFolder}/a.jpg.json`]: takenAt(1_560_000_000),
    [`${PHOTOS}/${album}/a(1).jpg`]: beach,
    [`${PHOTOS}/${album}/a.jpg(1).json`]: takenAt(1_560_000_000),
    ...(json === '' ? {} : { [`${PHOTOS}/${album}/metadata.json`]: json }),
  })
  const foldersOf = async () => Object.keys(await datesIn('Google Photos'))

  it.each([
    'Photos from 2019',
    'Fotos von 2019',
    'Photos de 2019',
    'Fotos del 2019',
    'Foto da 2019',
    "Foto's uit 2019",
    'Zdjęcia z 2019',
    'Фото за 2019',
    'Фотографии 2019 года',
    '2019 年の写真',
    '2019年的照片',
    '2019년의 사진',
  ])('is left out of the folder “%s”', async (yearFolder) => {
    const { code } = await importTakeout(await writeTar('t.tgz', albumWith('{"title":"Album","date":{}}', yearFolder)))
    expect([code, await foldersOf()]).toEqual([0, ['Album']])
  })

  it.each([
    ['of the older form', '{"albumData":{"title":"Album","description":""}}'],
    ['without title', '{"title":"","date":{"timestamp":"1"}}'],
    ['in another language', '{"title":"Álbum","access":"protected"}'],
  ])('is recognized by a description %s', async (_what, json) => {
    await importTakeout(await writeTar('t.tgz', albumWith(json)))
    expect(await foldersOf()).toEqual(['Album'])
    expect(Object.keys(await datesIn('Google Photos', 'Album'))).toEqual(['a(1).jpg'])
  })

  it('stays in the folder of its year if the other folder is no album, such as the trash', async () => {
    await importTakeout(await writeTar('t.tgz', albumWith('', 'Photos from 2019', 'Trash')))
    expect(await foldersOf()).toEqual(['Photos from 2019', 'Trash'])
  })

  it('stays in an album whose name ends with a year', async () => {
    const albums = { ...albumWith('{"title":"x","date":{}}', 'Photos from 2019', 'Paris 2019') }
    await importTakeout(
      await writeTar('t.tgz', {
        ...albums,
        [`${PHOTOS}/Two/b.jpg`]: beach,
        [`${PHOTOS}/Two/m.json`]: '{"title":"","date":{}}',
      }),
    )
    expect(await foldersOf()).toEqual(['Paris 2019', 'Two'])
  })

  it('stays in the folder of its year if only the size is the same', async () => {
    const files = {
      ...albumWith('{"title":"Album","date":{}}'),
      [`${PHOTOS}/Album/a(1).jpg`]: randomBytes(beach.length),
    }
    await importTakeout(await writeFolder(files as Files))
    expect(await foldersOf()).toEqual(['Album', 'Photos from 2019'])
  })
})

it('reports what it cannot read in an extracted Takeout', async () => {
  await writeFolder({ 'Takeout/Drive/a.txt': 'a', 'Takeout/Drive/secret.json': '{}' })
  await symlink('/etc/passwd', join(folder, 'Takeout/Drive/link'))
  await chmod(join(folder, 'Takeout/Drive/secret.json'), 0)
  const { printed } = await importTakeout(folder)
  expect(printed.join()).toContain('Takeout/Drive/link: symbolic links are not imported')
  // Nothing is forbidden to root.
  if (process.getuid?.() !== 0) expect(printed.join()).toContain('Takeout/Drive/secret.json: permission denied')
  expect((await namesIn(await folderAt('Drive'))).includes('a.txt')).toBe(true)
  expect(await listIn()).toHaveLength(1)
})

import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { Sidecars } from './find-sidecar.ts'

/** Returns which sidecar each photo of a folder gets. */
function match(photos: readonly string[], names: readonly string[]): Record<string, string | undefined> {
  const db = new DatabaseSync(':memory:')
  const sidecars = new Sidecars(db)
  for (const [index, name] of names.entries()) sidecars.add(1, name, index)
  sidecars.add(2, 'of another folder.jpg.json', 99)
  const found = new Map(photos.map((photo) => [photo, sidecars.find(1, photo)]))
  for (const photo of photos) if (found.get(photo) === undefined) found.set(photo, sidecars.findBesides(1, photo))
  const named = [...found].map(([photo, index]) => [photo, index === undefined ? undefined : names[index]])
  return Object.fromEntries(named)
}

const EMOJI = '😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋'

describe('the sidecar of a photo', () => {
  it.each([
    ['the older name', 'IMG_1.jpg', 'IMG_1.jpg.json'],
    ['the newer name', 'IMG_1.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
    ['a name in capitals', 'IMG_1.JPG', 'IMG_1.jpg.json'],
    [
      'a name that is cut off within the addition',
      'Screenshot_2017-07-05-10-05-26.png',
      'Screenshot_2017-07-05-10-05-26.png.supplementa.json',
    ],
    [
      'a name that is cut off after the first letter of the addition',
      'PXL_20230101_000000000.PORTRAIT-01.COVER.jpg',
      'PXL_20230101_000000000.PORTRAIT-01.COVER.jpg.s.json',
    ],
    [
      'a name that is cut off at the dot of the addition',
      'PXL_20230101_000000000.PORTRAIT-001.COVER.jpg',
      'PXL_20230101_000000000.PORTRAIT-001.COVER.jpg..json',
    ],
    [
      'a name that is cut off within the ending of the photo',
      'Screenshot_20220207_102421_com.snapchat.android.jpg',
      'Screenshot_20220207_102421_com.snapchat.androi.json',
    ],
    [
      'a name that is cut off by one letter',
      '05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jpg',
      '05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jp.json',
    ],
    [
      'a name that is cut off as the name of the photo is',
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg',
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json',
    ],
    ['a name that is cut off between two emojis', `${EMOJI}😛.jpg`, `${EMOJI}.json`],
    ['a number after the ending', 'IMG_1(1).jpg', 'IMG_1.jpg(1).json'],
    ['a number after the addition', 'IMG_1(2).jpg', 'IMG_1.jpg.supplemental-metadata(2).json'],
    [
      'a number after an addition that is cut off',
      'Screenshot_2017-07-05-10-05-26(1).png',
      'Screenshot_2017-07-05-10-05-26.png.supplementa(1).json',
    ],
    [
      'a number after an ending that is cut off',
      '13039_327707840323_537645323_9470255_27214_n(1).jpg',
      '13039_327707840323_537645323_9470255_27214_n.j(1).json',
    ],
    [
      'a number after a name that is cut off',
      'Backyard_ceremony_wedding_photography_xxxxxxx_m(494).jpg',
      'Backyard_ceremony_wedding_photography_xxxxxxx_(494).json',
    ],
    [
      'no number of its own, because the names are cut off',
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P(1).jpg',
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json',
    ],
    ['a number at the same place', 'IMG_1(1).jpg', 'IMG_1(1).jpg.json'],
    ['a number that belongs to the name', 'Trip (38).JPG', 'Trip (38).JPG.json'],
    ['a name without ending', 'IMG_1.jpg', 'IMG_1.json'],
    ['an edited copy', 'IMG_1-edited.jpg', 'IMG_1.jpg.json'],
    ['an edited copy in another language', 'IMG_1-bearbeitet.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
    ['an edited copy with an accent', 'IMG_1-MODIFIÉ.jpg', 'IMG_1.jpg.json'],
    ['an edited copy with a number', 'IMG_1-edited(1).jpg', 'IMG_1.jpg(1).json'],
    ['an edited copy whose number comes first', 'IMG_1(1)-edited.jpg', 'IMG_1.jpg(1).json'],
    [
      'an edited copy whose name is cut off',
      'PXL_20230101_000000000.PORTRAIT-01.COVER-edi.jpg',
      'PXL_20230101_000000000.PORTRAIT-01.COVER.jpg.s.json',
    ],
  ])('is found with %s', (_what, photo, sidecar) => {
    expect(match([photo], [sidecar, 'other.jpg.json', 'IMG_0.jpg.json', 'zzz.jpg.json'])).toEqual({ [photo]: sidecar })
  })

  it.each([
    ['another number', 'DSC_0102(1).JPG', 'DSC_0102.JPG(2).json'],
    ['a number, if the photo has none', 'DSC_0103.JPG', 'DSC_0103.JPG(1).json'],
    ['no number, if the photo has one', 'DSC_0104(1).JPG', 'DSC_0104.JPG.json'],
    ['a longer name', 'IMG_1.jpg', 'IMG_10.jpg.json'],
    ['a shorter name', 'IMG_10.jpg', 'IMG_1.jpg.json'],
    ['a name that is cut off too early', 'IMG_1.jpg', 'IMG_1.jp.json'],
    ['a name that has the same beginning', 'IMG_1-edit.jpg', 'IMG_1.jpg.json'],
    ['the same name in another folder', 'of another folder.jpg', 'IMG_1.jpg.json'],
  ])('is not one with %s', (_what, photo, sidecar) => {
    expect(match([photo], [sidecar])).toEqual({ [photo]: undefined })
  })
})

it('keeps photos with one name and different numbers apart', () => {
  const sidecars = ['IMG.jpg.json', 'IMG.jpg(1).json', 'IMG.jpg(2).json']
  expect(match(['IMG.jpg', 'IMG(1).jpg', 'IMG(2).jpg', 'IMG(3).jpg'], sidecars)).toEqual({
    'IMG.jpg': 'IMG.jpg.json',
    'IMG(1).jpg': 'IMG.jpg(1).json',
    'IMG(2).jpg': 'IMG.jpg(2).json',
    'IMG(3).jpg': undefined,
  })
})

it('prefers the longest name among sidecars that begin alike', () => {
  const photos = ['a.jpg', 'a.jpg.jpg', 'a.jpg.mp4']
  const sidecars = ['a.json', 'a.jpg.json', 'a.jpg.jpg.supplemental-metadata.json', 'a.jpg.mp4.json', 'a.jpg.k.json']
  expect(Object.values(match(photos, sidecars))).toEqual([
    'a.jpg.json',
    'a.jpg.jpg.supplemental-metadata.json',
    'a.jpg.mp4.json',
  ])
})

it('prefers the sidecar of an edited copy itself', () => {
  const sidecars = ['IMG-edited.jpg.json', 'IMG.jpg.json']
  expect(match(['IMG-edited.jpg'], sidecars)).toEqual({ 'IMG-edited.jpg': 'IMG-edited.jpg.json' })
})

it('gives the video of a live photo the sidecar of its picture', () => {
  const sidecars = ['IMG_1.HEIC.json', 'IMG_1.HEIC(1).json', 'PXL.MP.jpg.json']
  expect(match(['IMG_1.MP4', 'IMG_1.HEIC', 'IMG_1(1).MOV', 'IMG_1(1).HEIC', 'PXL.MP', 'PXL.MP.jpg'], sidecars)).toEqual(
    {
      'IMG_1.MP4': 'IMG_1.HEIC.json',
      'IMG_1.HEIC': 'IMG_1.HEIC.json',
      'IMG_1(1).MOV': 'IMG_1.HEIC(1).json',
      'IMG_1(1).HEIC': 'IMG_1.HEIC(1).json',
      'PXL.MP': 'PXL.MP.jpg.json',
      'PXL.MP.jpg': 'PXL.MP.jpg.json',
    },
  )
})

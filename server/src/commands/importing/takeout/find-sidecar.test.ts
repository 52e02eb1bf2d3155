import { expect, it } from 'vitest'
import { Sidecars } from './find-sidecar.ts'

/** Returns which sidecar each photo of a folder gets. */
function match(photos: readonly string[], names: readonly string[]): Record<string, string | undefined> {
  const sidecars = new Sidecars<string>()
  for (const name of names) sidecars.add(name, name)
  const found = new Map(photos.map((photo) => [photo, sidecars.find(photo)]))
  for (const photo of photos) if (found.get(photo) === undefined) found.set(photo, sidecars.findBesides(photo))
  return Object.fromEntries(found)
}

it.each([
  ['the older name', 'IMG_1.jpg', 'IMG_1.jpg.json'],
  ['the newer name', 'IMG_1.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
  ['a name in capitals', 'IMG_1.JPG', 'IMG_1.jpg.json'],
  [
    'a name that is cut off within the addition',
    'IMG_20190505_101010123_BURST.jpg',
    'IMG_20190505_101010123_BURST.jpg.supplemental-m.json',
  ],
  [
    'a name that is cut off at its dot',
    'PXL_20230101_000000000.PORTRAIT-01.COVER.jpg',
    'PXL_20230101_000000000.PORTRAIT-01.COVER.jpg.s.json',
  ],
  [
    'a name that is cut off within itself',
    'a very long name of a photo that nobody would ever type.jpg',
    'a very long name of a photo that nobody would .json',
  ],
  ['a number after the ending', 'IMG_1(1).jpg', 'IMG_1.jpg(1).json'],
  ['a number after the addition', 'IMG_1(2).jpg', 'IMG_1.jpg.supplemental-metadata(2).json'],
  [
    'a number after an addition that is cut off',
    'PXL_20230101_000000000.NIGHT(1).jpg',
    'PXL_20230101_000000000.NIGHT.jpg.supplemental(1).json',
  ],
  ['a number at the same place', 'IMG_1(1).jpg', 'IMG_1(1).jpg.json'],
  ['a name without ending', 'IMG_1.jpg', 'IMG_1.json'],
  ['an edited copy', 'IMG_1-edited.jpg', 'IMG_1.jpg.json'],
  ['an edited copy in another language', 'IMG_1-bearbeitet.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
  ['an edited copy with a number', 'IMG_1-edited(1).jpg', 'IMG_1.jpg(1).json'],
])('finds the sidecar with %s', (_what, photo, sidecar) => {
  expect(match([photo], [sidecar, 'other.jpg.json'])).toEqual({ [photo]: sidecar })
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

it('prefers the sidecar of an edited copy itself', () => {
  const sidecars = ['IMG-edited.jpg.json', 'IMG.jpg.json']
  expect(match(['IMG-edited.jpg'], sidecars)).toEqual({ 'IMG-edited.jpg': 'IMG-edited.jpg.json' })
})

it('gives the video of a live photo the sidecar of its picture', () => {
  expect(match(['IMG_1.MP4', 'IMG_1.HEIC', 'PXL.MP', 'PXL.MP.jpg'], ['IMG_1.HEIC.json', 'PXL.MP.jpg.json'])).toEqual({
    'IMG_1.MP4': 'IMG_1.HEIC.json',
    'IMG_1.HEIC': 'IMG_1.HEIC.json',
    'PXL.MP': 'PXL.MP.jpg.json',
    'PXL.MP.jpg': 'PXL.MP.jpg.json',
  })
})

it('finds no sidecar for a photo whose name only begins like another', () => {
  expect(match(['IMG_1.jpg', 'IMG_10.jpg'], ['IMG_10.jpg.json', 'IMG_1.jp.json'])).toEqual({
    'IMG_1.jpg': undefined,
    'IMG_10.jpg': 'IMG_10.jpg.json',
  })
})

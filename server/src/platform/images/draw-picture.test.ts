import { expect, it } from 'vitest'
import { fitThumbnail } from './draw-picture.ts'

it.each([
  ['a photo', 4000, 3000, 256, 256, 192],
  ['a portrait photo', 3000, 4000, 256, 256, 341],
  ['a film frame', 1920, 1080, 512, 683, 384],
  ['a panorama', 10_000, 1000, 256, 512, 51],
  ['a line of one pixel', 20_000, 1, 256, 512, 1],
  ['a small picture', 90, 60, 256, 90, 60],
  ['a picture in the viewer', 4000, 3000, 1280, 1280, 960],
] as const)('computes the thumbnail size of %s', (_what, width, height, size, ...expected) => {
  expect(Object.values(fitThumbnail({ width, height }, size))).toEqual(expected)
})

export { getThumbnailOf } from './thumbnails.ts'

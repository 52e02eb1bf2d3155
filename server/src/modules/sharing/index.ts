export { type LinkedItem, listLinked } from './list-linked.ts'
export { changePublicLink } from './public-links.ts'
export { sharingEndpoints } from './routes.ts'
export { describeSharePage } from './share-page.ts'

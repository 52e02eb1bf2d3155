export { sharingEndpoints } from './routes.ts'
export { describeSharePage } from './share-page.ts'

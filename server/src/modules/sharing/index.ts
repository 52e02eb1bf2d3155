export { sharingRoutes } from './routes.ts'
export { describeSharePage } from './share-page.ts'

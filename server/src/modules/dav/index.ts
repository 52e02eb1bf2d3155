export { davRoutes } from './dav-routes.ts'

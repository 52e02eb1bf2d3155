export { nextcloudRoutes } from './nextcloud-routes.ts'

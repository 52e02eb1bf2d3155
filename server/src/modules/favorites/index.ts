export { favoriteEndpoints } from './routes.ts'

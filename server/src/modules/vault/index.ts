export { vaultEndpoints } from './routes.ts'

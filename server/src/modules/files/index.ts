export { sweepSelections } from './downloads/sweep-selections.ts'
export { fileRoutes } from './routes.ts'

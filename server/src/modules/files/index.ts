export { sweepSelections } from './downloads/download-selection.ts'
export { fileEndpoints } from './routes.ts'

export { sweepSelections } from './downloads/download-selection.ts'
export { sumTrash } from './listing/get-storage.ts'
export { fileEndpoints } from './routes.ts'

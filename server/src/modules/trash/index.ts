export { sweepDeletionGroups } from './deletion-groups.ts'
export { trashEndpoints } from './routes.ts'
export { sweepTrash } from './sweep-trash.ts'

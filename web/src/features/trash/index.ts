export { TrashContents } from './TrashContents.tsx'

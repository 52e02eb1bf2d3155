export { noteNewNames } from './changed-owners.ts'
export { findNames } from './find-names.ts'
export { findNamesToIndex, syncSearch } from './sync-search.ts'

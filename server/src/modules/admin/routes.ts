import { checkEndpoints } from './checks/checks-endpoints.ts'
import { storageEndpoints } from './storage/storage-endpoints.ts'

export const adminEndpoints = [...checkEndpoints, ...storageEndpoints]

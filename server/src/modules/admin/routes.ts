import { checkEndpoints } from './checks/checks-endpoints.ts'
import { jobEndpoints } from './jobs/jobs-endpoints.ts'
import { storageEndpoints } from './storage/storage-endpoints.ts'
import { userEndpoints } from './users/user-calls.ts'

export const adminEndpoints = [...checkEndpoints, ...storageEndpoints, ...userEndpoints, ...jobEndpoints]

import { checkEndpoints } from './checks/checks-endpoints.ts'

export const adminEndpoints = [...checkEndpoints]

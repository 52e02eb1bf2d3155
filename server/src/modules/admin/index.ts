export { checkEverything } from './checks/all-checks.ts'
export { selfTestRoute } from './checks/probe-address.ts'
export { listenForMetrics, metricsRoute } from './metrics-endpoint.ts'
export { adminEndpoints } from './routes.ts'

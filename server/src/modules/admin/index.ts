export { listenForMetrics, metricsRoute } from './metrics-endpoint.ts'

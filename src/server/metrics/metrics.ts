export { createMetrics } from './counters.ts'
export { followDatabase, ofPages, ofReadiness, ofShop } from './readings.ts'
export { serveMetrics } from './serve.ts'

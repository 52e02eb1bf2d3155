export { listAllActivity } from './list-activity.ts'
export { activityEndpoints } from './routes.ts'
export { sweepActivity } from './sweep-activity.ts'

import { listActivity } from './list-activity.ts'

export const activityEndpoints = [listActivity]

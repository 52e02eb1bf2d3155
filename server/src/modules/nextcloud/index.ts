import type { Endpoint } from '../../platform/http/api.ts'
import { allowLoginFlow, denyLoginFlow, getLoginFlow } from './login-flow/answer-login-flow.ts'

export { sweepLoginFlows } from './login-flow/sweep-login-flows.ts'
export { nextcloudRoutes } from './nextcloud-routes.ts'

/** The calls of this module. */
export const nextcloudEndpoints: readonly Endpoint[] = [getLoginFlow, allowLoginFlow, denyLoginFlow]

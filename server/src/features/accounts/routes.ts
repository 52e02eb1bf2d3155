import {
  activate as activateCall,
  forgotPassword as forgotPasswordCall,
  getAccountStatus as getAccountStatusCall,
  login as loginCall,
  logout as logoutCall,
  register as registerCall,
  resendActivation as resendActivationCall,
  resetPasswordCall,
  validatePassword as validatePasswordCall,
} from '@alcove/contract/accounts'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { activate } from './activate.ts'
import { forgotPassword } from './forgot-password.ts'
import { getAccountStatus } from './get-account-status.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { handleMailJobs } from './mails.ts'
import { register } from './register.ts'
import { resendActivation } from './resend-activation.ts'
import { resetPassword } from './reset-password.ts'
import { validatePassword } from './validate-password.ts'

export function accountRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, registerCall, register)
  bindCall(api, services, activateCall, activate)
  bindCall(api, services, resendActivationCall, resendActivation)
  bindCall(api, services, loginCall, login)
  bindCall(api, services, logoutCall, logout)
  bindCall(api, services, forgotPasswordCall, forgotPassword)
  bindCall(api, services, validatePasswordCall, validatePassword)
  bindCall(api, services, resetPasswordCall, resetPassword)
  bindCall(api, services, getAccountStatusCall, getAccountStatus)
  handleMailJobs(services)
}

import {
  activate as activateCall,
  deleteAccount as deleteAccountCall,
  downloadData as downloadDataCall,
  forgotPassword as forgotPasswordCall,
  getAccountStatus as getAccountStatusCall,
  getDataUrl as getDataUrlCall,
  login as loginCall,
  logout as logoutCall,
  register as registerCall,
  resendActivation as resendActivationCall,
  resetPasswordCall,
  updateEmail as updateEmailCall,
  updatePassword as updatePasswordCall,
  validatePassword as validatePasswordCall,
} from '@alcove/contract/accounts'
import {
  addPasskey as addPasskeyCall,
  getPasskeyLoginOptions as getPasskeyLoginOptionsCall,
  getPasskeyOptions as getPasskeyOptionsCall,
  listPasskeys as listPasskeysCall,
  loginWithPasskey as loginWithPasskeyCall,
  removePasskey as removePasskeyCall,
  renamePasskey as renamePasskeyCall,
} from '@alcove/contract/passkeys'
import { getProfile as getProfileCall, updateProfile as updateProfileCall } from '@alcove/contract/profile'
import {
  getReauthenticationOptions as getReauthenticationOptionsCall,
  reauthenticate as reauthenticateCall,
  reauthenticateWithPasskey as reauthenticateWithPasskeyCall,
} from '@alcove/contract/reauthentication'
import {
  endOtherSessions as endOtherSessionsCall,
  endSession as endSessionCall,
  listSessions as listSessionsCall,
} from '@alcove/contract/sessions'
import {
  beginTwoFactor as beginTwoFactorCall,
  disableTwoFactor as disableTwoFactorCall,
  enableTwoFactor as enableTwoFactorCall,
  getTwoFactor as getTwoFactorCall,
  loginWithCode as loginWithCodeCall,
  renewRecoveryCodes as renewRecoveryCodesCall,
} from '@alcove/contract/two-factor'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { loggingRefusals, securityEvent } from '../../platform/security-log.ts'
import { downloadData } from './data-export/download-data.ts'
import { getDataUrl } from './data-export/get-data-url.ts'
import { deleteAccount } from './deletion/delete-account.ts'
import { handleLeftovers } from './deletion/delete-leftovers.ts'
import { handleMailJobs } from './mails.ts'
import { addPasskey } from './passkeys/add-passkey.ts'
import { getPasskeyOptions } from './passkeys/get-passkey-options.ts'
import { listPasskeys } from './passkeys/list-passkeys.ts'
import { removePasskey } from './passkeys/remove-passkey.ts'
import { renamePasskey } from './passkeys/rename-passkey.ts'
import { getAccountStatus } from './profile/get-account-status.ts'
import { getProfile } from './profile/get-profile.ts'
import { updateEmail } from './profile/update-email.ts'
import { updateProfile } from './profile/update-profile.ts'
import { activate } from './registration/activate.ts'
import { register } from './registration/register.ts'
import { resendActivation } from './registration/resend-activation.ts'
import { endOtherSessions } from './sessions/end-other-sessions.ts'
import { endSession } from './sessions/end-session.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { logout } from './sessions/logout.ts'
import { forgotPassword } from './sign-in/forgot-password.ts'
import { getPasskeyLoginOptions } from './sign-in/get-passkey-login-options.ts'
import { getReauthenticationOptions } from './sign-in/get-reauthentication-options.ts'
import { login } from './sign-in/login.ts'
import { loginWithCode } from './sign-in/login-with-code.ts'
import { loginWithPasskey } from './sign-in/login-with-passkey.ts'
import { reauthenticate } from './sign-in/reauthenticate.ts'
import { reauthenticateWithPasskey } from './sign-in/reauthenticate-with-passkey.ts'
import { resetPassword } from './sign-in/reset-password.ts'
import { updatePassword } from './sign-in/update-password.ts'
import { validatePassword } from './sign-in/validate-password.ts'
import { beginTwoFactor } from './two-factor/begin-two-factor.ts'
import { disableTwoFactor } from './two-factor/disable-two-factor.ts'
import { enableTwoFactor } from './two-factor/enable-two-factor.ts'
import { getTwoFactor } from './two-factor/get-two-factor.ts'
import { renewRecoveryCodes } from './two-factor/renew-recovery-codes.ts'

export function accountRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, registerCall, register)
  bindCall(api, services, activateCall, activate)
  bindCall(api, services, resendActivationCall, resendActivation)
  bindCall(api, services, loginCall, login)
  bindCall(api, services, loginWithCodeCall, loginWithCode)
  bindCall(api, services, getPasskeyLoginOptionsCall, getPasskeyLoginOptions)
  bindCall(api, services, loginWithPasskeyCall, (ctx, input) =>
    // Whose passkey it should be isn't known when it is refused.
    loggingRefusals(ctx, {}, () => loginWithPasskey(ctx, input)),
  )
  bindCall(api, services, logoutCall, securityEvent('signed_out', logout))
  bindCall(api, services, forgotPasswordCall, forgotPassword)
  bindCall(api, services, validatePasswordCall, validatePassword)
  bindCall(api, services, resetPasswordCall, resetPassword)
  bindCall(api, services, getAccountStatusCall, getAccountStatus)
  bindCall(api, services, updateEmailCall, securityEvent('email_changed', updateEmail))
  bindCall(api, services, updatePasswordCall, securityEvent('password_changed', updatePassword))
  bindCall(api, services, deleteAccountCall, securityEvent('account_deleted', deleteAccount))
  bindCall(api, services, getDataUrlCall, securityEvent('data_exported', getDataUrl))
  bindCall(api, services, downloadDataCall, downloadData)
  bindCall(api, services, listSessionsCall, listSessions)
  bindCall(api, services, endSessionCall, securityEvent('session_ended', endSession))
  bindCall(api, services, endOtherSessionsCall, securityEvent('other_sessions_ended', endOtherSessions))
  bindCall(api, services, getTwoFactorCall, getTwoFactor)
  bindCall(api, services, beginTwoFactorCall, beginTwoFactor)
  bindCall(api, services, enableTwoFactorCall, securityEvent('two_factor_on', enableTwoFactor))
  bindCall(api, services, disableTwoFactorCall, securityEvent('two_factor_off', disableTwoFactor))
  bindCall(api, services, renewRecoveryCodesCall, securityEvent('recovery_codes_renewed', renewRecoveryCodes))
  bindCall(api, services, listPasskeysCall, listPasskeys)
  bindCall(api, services, getPasskeyOptionsCall, getPasskeyOptions)
  bindCall(api, services, addPasskeyCall, securityEvent('passkey_added', addPasskey))
  bindCall(api, services, renamePasskeyCall, renamePasskey)
  bindCall(api, services, removePasskeyCall, securityEvent('passkey_removed', removePasskey))
  bindCall(api, services, reauthenticateCall, securityEvent('session_confirmed', reauthenticate))
  bindCall(api, services, getReauthenticationOptionsCall, getReauthenticationOptions)
  bindCall(api, services, reauthenticateWithPasskeyCall, securityEvent('session_confirmed', reauthenticateWithPasskey))
  bindCall(api, services, getProfileCall, getProfile)
  bindCall(api, services, updateProfileCall, updateProfile)
  handleMailJobs(services)
  handleLeftovers(services)
}

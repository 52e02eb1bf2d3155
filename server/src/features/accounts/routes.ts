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
import { activate } from './activate.ts'
import { addPasskey } from './add-passkey.ts'
import { beginTwoFactor } from './begin-two-factor.ts'
import { deleteAccount } from './delete-account.ts'
import { handleRemains } from './delete-remains.ts'
import { disableTwoFactor } from './disable-two-factor.ts'
import { downloadData } from './download-data.ts'
import { enableTwoFactor } from './enable-two-factor.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { endSession } from './end-session.ts'
import { forgotPassword } from './forgot-password.ts'
import { getAccountStatus } from './get-account-status.ts'
import { getDataUrl } from './get-data-url.ts'
import { getPasskeyLoginOptions } from './get-passkey-login-options.ts'
import { getPasskeyOptions } from './get-passkey-options.ts'
import { getProfile } from './get-profile.ts'
import { getReauthenticationOptions } from './get-reauthentication-options.ts'
import { getTwoFactor } from './get-two-factor.ts'
import { listPasskeys } from './list-passkeys.ts'
import { listSessions } from './list-sessions.ts'
import { login } from './login.ts'
import { loginWithCode } from './login-with-code.ts'
import { loginWithPasskey } from './login-with-passkey.ts'
import { logout } from './logout.ts'
import { handleMailJobs } from './mails.ts'
import { reauthenticate } from './reauthenticate.ts'
import { reauthenticateWithPasskey } from './reauthenticate-with-passkey.ts'
import { register } from './register.ts'
import { removePasskey } from './remove-passkey.ts'
import { renamePasskey } from './rename-passkey.ts'
import { renewRecoveryCodes } from './renew-recovery-codes.ts'
import { resendActivation } from './resend-activation.ts'
import { resetPassword } from './reset-password.ts'
import { updateEmail } from './update-email.ts'
import { updatePassword } from './update-password.ts'
import { updateProfile } from './update-profile.ts'
import { validatePassword } from './validate-password.ts'

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
  handleRemains(services)
}

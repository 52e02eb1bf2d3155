import type { Endpoint } from '../../platform/http/api.ts'
import { checkSetup, claimSetup, setUp } from './administrators/first-administrator.ts'
import { createAppPassword, listAppPasswords, revokeAppPassword } from './app-passwords/manage-app-passwords.ts'
import { downloadData, getDataUrl } from './data-export/export-data.ts'
import { deleteAccount } from './deletion/delete-user.ts'
import { acceptInvitationToServer, checkInvitation } from './invitations/accept-invitation.ts'
import {
  addPasskey,
  getPasskeyOptions,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys/manage-passkeys.ts'
import { getAccountStatus, getProfile, updateEmail, updateProfile } from './profile/profile.ts'
import { activate } from './registration/activate.ts'
import { register, resendActivation } from './registration/register.ts'
import { endOtherSessions, endSession, listSessions, logout } from './sessions/manage-sessions.ts'
import { forgotPassword, resetPassword, updatePassword, validatePassword } from './sign-in/change-password.ts'
import { login, loginWithCode } from './sign-in/login.ts'
import { getPasskeyLoginOptions, loginWithPasskey } from './sign-in/login-with-passkey.ts'
import { getReauthenticationOptions, reauthenticate, reauthenticateWithPasskey } from './sign-in/reauthenticate.ts'
import {
  finishForAccount,
  getSignInMethods,
  startConfirmation,
  startLink,
  unlinkIdentity,
} from './single-sign-on/account-identities.ts'
import {
  changeSignInSettings,
  getSignInSettings,
  removeProvider,
  saveProvider,
  testProvider,
} from './single-sign-on/manage-providers.ts'
import { finishSignIn, getSignInOptions, startSignIn } from './single-sign-on/sign-in.ts'
import {
  beginTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  getTwoFactor,
  renewRecoveryCodes,
} from './two-factor/manage-two-factor.ts'

/** The calls of this module. */
export const accountEndpoints: readonly Endpoint[] = [
  register,
  activate,
  resendActivation,
  login,
  loginWithCode,
  getPasskeyLoginOptions,
  loginWithPasskey,
  logout,
  forgotPassword,
  validatePassword,
  resetPassword,
  getAccountStatus,
  updateEmail,
  updatePassword,
  deleteAccount,
  getDataUrl,
  downloadData,
  listSessions,
  endSession,
  endOtherSessions,
  getTwoFactor,
  beginTwoFactor,
  enableTwoFactor,
  disableTwoFactor,
  renewRecoveryCodes,
  listPasskeys,
  getPasskeyOptions,
  addPasskey,
  renamePasskey,
  removePasskey,
  listAppPasswords,
  createAppPassword,
  revokeAppPassword,
  reauthenticate,
  getReauthenticationOptions,
  reauthenticateWithPasskey,
  getProfile,
  updateProfile,
  checkSetup,
  setUp,
  claimSetup,
  getSignInOptions,
  startSignIn,
  finishSignIn,
  getSignInMethods,
  startLink,
  startConfirmation,
  finishForAccount,
  unlinkIdentity,
  getSignInSettings,
  changeSignInSettings,
  saveProvider,
  removeProvider,
  testProvider,
  checkInvitation,
  acceptInvitationToServer,
]

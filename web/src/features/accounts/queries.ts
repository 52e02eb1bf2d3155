import {
  activate,
  forgotPassword,
  getAccountStatus,
  getDataUrl,
  login,
  register,
  resendActivation,
  resetPasswordCall,
  updateEmail,
  updatePassword,
  validatePassword,
} from '@alcove/contract/accounts'
import { getProfile, updateProfile } from '@alcove/contract/profile'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { useCall } from '../../api/use-call.ts'

export const useRegister = () => useCall(register)
export const useLogin = () => useCall(login)
export const useActivate = () => useCall(activate)
export const useResendActivation = () => useCall(resendActivation)
export const useForgotPassword = () => useCall(forgotPassword)
export const useResetPassword = () => useCall(resetPasswordCall)
export const useUpdateEmail = () => useCall(updateEmail)
export const useUpdatePassword = () => useCall(updatePassword)
export const useDataUrl = () => useCall(getDataUrl)

/** Whether a reset token is good; asked once, since its answer changes only by using it. */
export function useValidatePassword(resetToken: string) {
  return useQuery({
    queryKey: ['accounts', 'validate-password', resetToken],
    queryFn: ({ signal }) => send(validatePassword, { resetToken }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useAccountStatus() {
  return useQuery({
    queryKey: ['accounts', 'status'],
    queryFn: ({ signal }) => send(getAccountStatus, {}, { signal }),
  })
}

export const profileKey = ['accounts', 'profile']
export const useUpdateProfile = () => useCall(updateProfile)

/** What others see of the user. */
export function useProfile() {
  return useQuery({ queryKey: profileKey, queryFn: ({ signal }) => send(getProfile, {}, { signal }) })
}

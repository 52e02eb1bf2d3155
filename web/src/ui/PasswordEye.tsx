import { IconEye, IconEyeOff } from '@tabler/icons-react'

interface PasswordEyeProps {
  readonly reveal: boolean
}

/** The icon of the button that shows and hides a password. */
export function PasswordEye({ reveal }: PasswordEyeProps) {
  return reveal ? <IconEyeOff size={18} stroke={1.75} /> : <IconEye size={18} stroke={1.75} />
}

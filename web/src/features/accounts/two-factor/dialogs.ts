import { later } from '../../../lib/later.ts'
import { openLater } from '../../../ui/dialogs.tsx'

/** The dialogs of two-factor sign-in, each fetched after the page shows. */

const turnOn = later(() => import('./TurnOnTwoFactorModal.tsx'))
const turnOff = later(() => import('./TurnOffTwoFactorModal.tsx'))
const newCodes = later(() => import('./NewRecoveryCodesModal.tsx'))

export function askToTurnOn(): void {
  void openLater(turnOn, ({ openTurnOnTwoFactorModal }) => openTurnOnTwoFactorModal())
}

export function askToTurnOff(): void {
  void openLater(turnOff, ({ openTurnOffTwoFactorModal }) => openTurnOffTwoFactorModal())
}

export function askForNewCodes(): void {
  void openLater(newCodes, ({ openNewRecoveryCodesModal }) => openNewRecoveryCodesModal())
}

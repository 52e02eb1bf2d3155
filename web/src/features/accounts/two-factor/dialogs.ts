import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'

/** The dialogs of two-factor sign-in, each fetched after the page shows. */

const turnOn = lazyModule(() => import('./TurnOnTwoFactorModal.tsx'))
const turnOff = lazyModule(() => import('./TurnOffTwoFactorModal.tsx'))
const newCodes = lazyModule(() => import('./NewRecoveryCodesModal.tsx'))

export function askToTurnOn(): void {
  void openLater(turnOn, ({ openTurnOnTwoFactorModal }) => openTurnOnTwoFactorModal())
}

export function askToTurnOff(): void {
  void openLater(turnOff, ({ openTurnOffTwoFactorModal }) => openTurnOffTwoFactorModal())
}

export function askForNewCodes(): void {
  void openLater(newCodes, ({ openNewRecoveryCodesModal }) => openNewRecoveryCodesModal())
}

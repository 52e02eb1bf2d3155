import {
  type CreateAppPasswordOptions,
  openCreateAppPasswordModal,
} from '../features/accounts/app-passwords/CreateAppPasswordModal.tsx'
import { FolderChoice } from '../features/files/changes/MoveItemModal.tsx'

/** Opens the dialog that creates an app password, with the folder picker of the file manager. */
export function openCreateAppPassword(options: CreateAppPasswordOptions): void {
  openCreateAppPasswordModal({ ...options, FolderChoice })
}

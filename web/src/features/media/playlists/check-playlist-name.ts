import type { CheckedName } from '../../../ui/NameForm.tsx'

/** As the server has it, said before it is asked. */
export function checkPlaylistName(typed: string): CheckedName {
  const name = typed.trim()
  return { name, problem: name === '' ? 'Playlist name cannot be empty.' : undefined }
}

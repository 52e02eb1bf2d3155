import {
  type Appearance,
  deleteLogo,
  getAppearance,
  getLegalTexts,
  getMaintenanceSettings,
  replaceLogo,
  setMaintenance,
  updateAppearance,
  updateLegalTexts,
} from '@alcove/contract/admin-site'
import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { announced } from '../../../api/site-state.ts'
import { useAction } from '../../../api/use-call.ts'
import { useSetting } from '../../../api/use-setting.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { adminKeys } from '../queries.ts'

export function useAppearance() {
  return useQuery({ queryKey: adminKeys.appearance, queryFn: ({ signal }) => send(getAppearance, {}, { signal }) })
}

export function useLegalTexts() {
  return useQuery({ queryKey: adminKeys.legalTexts, queryFn: ({ signal }) => send(getLegalTexts, {}, { signal }) })
}

export function useMaintenanceSettings() {
  return useQuery({
    queryKey: adminKeys.maintenance,
    queryFn: ({ signal }) => send(getMaintenanceSettings, {}, { signal }),
  })
}

/** Returns an action that saves settings. The response is what is set now. */
function useSaving<C extends AnyCall>(call: C, queryKey: QueryKey, onSaved?: (saved: OutputOf<C>) => void) {
  const queryClient = useQueryClient()
  return useAction<OutputOf<C>, InputOf<C>>(async (input) => {
    const saved = await send(call, input)
    queryClient.setQueryData(queryKey, saved)
    void queryClient.invalidateQueries({ queryKey: adminKeys.auditLog })
    onSaved?.(saved)
    return saved
  })
}

const showAnnouncement = ({ announcement }: Appearance) => announced.set(announcement)

export const useSaveAppearance = () => useSaving(updateAppearance, adminKeys.appearance, showAnnouncement)

/** Whether the name is shown beside the logo, and the function that changes it. */
export function useShowsName(stored: boolean) {
  const queryClient = useQueryClient()
  return useSetting(stored, {
    queryKey: adminKeys.appearance,
    save: (showsName) => send(updateAppearance, { showsName }),
    update: (_appearance: Appearance, saved) => saved,
    onSaved: () => void queryClient.invalidateQueries({ queryKey: adminKeys.auditLog }),
    onFailed: (sentence) => notifyError(sentence ?? 'Couldn’t save this setting. Try again.'),
  })
}

export const useReplaceLogo = () => useSaving(replaceLogo, adminKeys.appearance)
export const useDeleteLogo = () => useSaving(deleteLogo, adminKeys.appearance)
export const useSaveLegalTexts = () => useSaving(updateLegalTexts, adminKeys.legalTexts)

export function useSetMaintenance() {
  const queryClient = useQueryClient()
  // The reminder above the page comes with the storage.
  return useSaving(setMaintenance, adminKeys.maintenance, () => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.storage })
  })
}

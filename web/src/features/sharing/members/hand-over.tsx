import {
  acceptHandOver,
  declineHandOver,
  getHandOver,
  type HandOver,
  type Member,
  offerHandOver,
  type SharedFolder,
  withdrawHandOver,
} from '@alcove/contract/members'
import { IconUserStar } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { send, sentenceOf } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useAction } from '../../../api/use-call.ts'
import { formatStorage, plural } from '../../../lib/format.ts'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { nameOfPerson } from './member-texts.ts'

const describeSize = ({ items, bytes }: HandOver) => `${plural(items, 'item')}, ${formatStorage(bytes)}`

/** Offers a folder to a member after a question, or takes the offer back. */
export function useOffer(folder: { readonly id: string; readonly name: string }) {
  const queryClient = useQueryClient()
  const { id } = folder
  return useAction(async (member: Member) => {
    const name = nameOfPerson(member)
    try {
      if (member.offeredAt === null) {
        const isConfirmed = await confirm({
          question: `Make ${name} the owner of “${folder.name}”?`,
          detail:
            `It holds ${describeSize(await send(getHandOver, { id }))}, with earlier versions and the trash. If ${name} accepts, all ` +
            'of it counts toward their storage, and links in it become theirs. You stay as a manager.',
          verb: 'Offer',
          icon: <IconUserStar size={20} stroke={1.75} />,
        })
        if (!isConfirmed) return
        await send(offerHandOver, { id, memberId: member.id })
        notifySuccess(`${name} was asked to become the owner.`)
      } else {
        await send(withdrawHandOver, { id })
        notifySuccess('The folder stays yours.')
      }
    } catch (error) {
      notifyError(sentenceOf(error) ?? 'Couldn’t change the offer. Check your connection, then try again.')
    }
    await queryClient.invalidateQueries({ queryKey: queryKeys.members(id) })
  })
}

/** Accepts or declines to become the owner of a folder. Accepting asks first. */
export function useAnswerOffer(folder: SharedFolder) {
  const queryClient = useQueryClient()
  const { id, name } = folder
  return useAction(async (accepts: boolean) => {
    try {
      if (accepts) {
        const isConfirmed = await confirm({
          question: `Become the owner of “${name}”?`,
          detail:
            `It holds ${describeSize(await send(getHandOver, { id }))}, with earlier versions and the trash. All of it moves to your ` +
            `files and counts toward your storage. ${nameOfPerson(folder.owner)} stays as a manager.`,
          verb: 'Become Owner',
          icon: <IconUserStar size={20} stroke={1.75} />,
        })
        if (!isConfirmed) return
        await send(acceptHandOver, { id })
        notifySuccess(`You are the owner of “${name}” now.`)
      } else {
        await send(declineHandOver, { id })
        notifySuccess('The folder stays shared with you.')
      }
    } catch (error) {
      notifyError(sentenceOf(error) ?? 'Couldn’t answer the offer. Check your connection, then try again.')
    }
    // The folder is elsewhere now, and the storage has changed.
    await queryClient.invalidateQueries()
  })
}

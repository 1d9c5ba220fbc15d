import { computed } from 'nanostores'
import { SECOND_MS } from '../../../rules/durations.ts'
import { closeLine, followRooms, openLine } from '../../chat/line.ts'
import { officeToken } from '../session.ts'
import { openAnswers, sendAnswers } from './answers.ts'
import { conversationTable } from './list.ts'
import { $openRoom, renewConversation, showMessage } from './open.ts'

/** The interval of reloads (ms): the server does not announce new conversations. */
const RELOAD_MS = 30 * SECOND_MS

/** The delay between the start of the page and the live connection (ms). */
const OPEN_AFTER_MS = 2 * SECOND_MS

/** The rooms of the open conversation and of the listed ones. */
const $followed = computed([$openRoom, conversationTable.$state], (open, { page }) => {
  const listed = page?.content.map(({ roomId }) => roomId) ?? []
  return [...new Set(open === null ? listed : [open, ...listed])]
})

/** Keeps the list and the open conversation up to date; returns a stop function. */
export function watchInbox(): () => void {
  const refresh = () => {
    if (document.hidden || !navigator.onLine) return
    conversationTable.renew()
    void renewConversation()
    void sendAnswers()
  }
  const stopSending = openAnswers()
  const stopFollowing = $followed.subscribe(followRooms)
  // The first data comes first: the connection and its code are loaded later.
  const opening = setTimeout(
    () =>
      void openLine({
        token: officeToken,
        onOpen: () => {},
        onLost: () => {},
        onFollowing: refresh,
        onMessage: (message) => {
          showMessage(message)
          conversationTable.renew()
          if (message.roomId === $openRoom.get()) void renewConversation()
        },
      }),
    OPEN_AFTER_MS,
  )
  const timer = setInterval(refresh, RELOAD_MS)
  document.addEventListener('visibilitychange', refresh)
  addEventListener('online', refresh)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refresh)
    removeEventListener('online', refresh)
    clearTimeout(opening)
    stopFollowing()
    stopSending()
    closeLine()
  }
}

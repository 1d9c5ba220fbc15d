import { computed } from 'nanostores'
import { SECOND_MS } from '../../../rules/durations.ts'
import { closeLine, followRooms, openLine } from '../../chat/line.ts'
import { officeToken } from '../session.ts'
import { openAnswers, sendAnswers } from './answers.ts'
import { conversationTable } from './list.ts'
import { $openRoom, renewConversation, showMessage } from './open.ts'

/** How often the list is read again (ms): nobody announces a conversation that a customer begins. */
const LOOK_AGAIN_MS = 30 * SECOND_MS

/** The live connection opens so long (ms) after the page. */
const OPEN_AFTER_MS = 2 * SECOND_MS

/** The open conversation, and those of the list. */
const $followed = computed([$openRoom, conversationTable.$state], (open, { page }) => {
  const listed = page?.content.map(({ roomId }) => roomId) ?? []
  return [...new Set(open === null ? listed : [open, ...listed])]
})

/** Keeps the list and the open conversation as they are now; returns what ends that. */
export function watchInbox(): () => void {
  const look = () => {
    if (document.hidden || !navigator.onLine) return
    conversationTable.renew()
    void renewConversation()
    void sendAnswers()
  }
  const stopSending = openAnswers()
  const stopFollowing = $followed.subscribe(followRooms)
  // What is read first comes first: the connection and its code wait.
  const opening = setTimeout(
    () =>
      void openLine({
        token: officeToken,
        onOpen: () => {},
        onLost: () => {},
        onFollowing: look,
        onMessage: (message) => {
          showMessage(message)
          conversationTable.renew()
          if (message.roomId === $openRoom.get()) void renewConversation()
        },
      }),
    OPEN_AFTER_MS,
  )
  const timer = setInterval(look, LOOK_AGAIN_MS)
  document.addEventListener('visibilitychange', look)
  addEventListener('online', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    removeEventListener('online', look)
    clearTimeout(opening)
    stopFollowing()
    stopSending()
    closeLine()
  }
}

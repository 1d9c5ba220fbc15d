import { CHAT_DRAFT_PREFIX, CHAT_WAITING_PREFIX, EXAM_PREFIX } from '../../rules/storage-keys.ts'
import { parse } from '../shared/persistence.ts'
import type { WaitingMessage } from './unsent-texts.ts'

/**
 * Deletes the unsent chat texts and the exams of everybody but this user. Directly in the storage: every page loads
 * this file, and only the chat the stores of `unsent-texts.ts`.
 */
export function forgetChat(exceptUserId?: number): void {
  const isKept = (key: string) => {
    if (key.startsWith(CHAT_DRAFT_PREFIX))
      return key.startsWith(`${CHAT_DRAFT_PREFIX}${exceptUserId}:`)
    if (key.startsWith(EXAM_PREFIX)) return key === `${EXAM_PREFIX}${exceptUserId}`
    if (!key.startsWith(CHAT_WAITING_PREFIX)) return true
    const message = parse(localStorage.getItem(key) ?? '') as WaitingMessage | null | undefined
    return message?.userId === exceptUserId
  }
  try {
    for (const key of Object.keys(localStorage)) if (!isKept(key)) localStorage.removeItem(key)
  } catch {
    // Storage is forbidden.
  }
}

import type { ReadableAtom } from 'nanostores'
import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { WaitingMessage } from '../../stores/user-data/unsent-texts.ts'

export interface MentionProps {
  id: number
  /** Shown until the document is loaded, and if there is none. */
  children: ReactNode
}

/**
 * What the parts of a conversation read and call: one side for customers, one for the staff who
 * answer them in the office.
 */
export interface ChatSide {
  /** Unsent texts, by room. */
  readonly $drafts: ReadableAtom<Readonly<Record<string, string>>>
  /** Messages of the shown room that the server does not have yet, oldest first. */
  readonly $waiting: ReadableAtom<readonly WaitingMessage[]>
  /** The room whose draft is ready to be sent as it is, or null. */
  readonly $readyRoom: ReadableAtom<string | null>
  /** A document that a message mentions. */
  readonly Mention: ComponentType<MentionProps>
  keepDraft(roomId: string, text: string): void
  /** Sends a text to the shown room; false if there is nothing to send. */
  send(text: string): boolean
  retry(clientId: string): void
  drop(clientId: string): void
  readOlder(roomId: string): Promise<void>
  /** Called when the newest message of the shown room is in sight. */
  markSeen(): void
}

const SideContext = createContext<ChatSide | null>(null)

/** Provides their side to the parts of a conversation. */
export const AtSide = SideContext.Provider

export function useSide(): ChatSide {
  const side = useContext(SideContext)
  if (!side) throw new Error('no side around this part of a conversation')
  return side
}

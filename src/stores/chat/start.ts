import { atom, readonlyType } from 'nanostores'
import type { Administrator } from '../../contract/chat.ts'
import { roomId as idOfRoom } from '../../rules/room.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import { addRoom } from './rooms.ts'

export type { Administrator } from '../../contract/chat.ts'

/** The modal "choose an admin to start chatting". */
type Picker =
  | { phase: 'closed' | 'loading' | 'failed' }
  | {
      phase: 'open'
      administrators: readonly Administrator[]
      /** Whether the conversation with the one that was chosen could not be opened. */
      hasFailed: boolean
    }

const $state = atom<Picker>({ phase: 'closed' })
export const $picker = readonlyType($state)

const $busy = atom(false)
/** Whether a conversation is being opened. */
export const $isStarting = readonlyType($busy)

export async function openPicker(): Promise<void> {
  $state.set({ phase: 'loading' })
  const administrators = await readAdministrators()
  if ($state.get().phase !== 'loading') return
  if (administrators) showPicker(administrators)
  else $state.set({ phase: 'failed' })
}

/** The administrators to whom the user can write; null if loading fails, which is only logged. */
export async function readAdministrators(): Promise<readonly Administrator[] | null> {
  try {
    const all = await ask(({ chat }) => chat.listAdministrators, {})
    return all.filter(({ id }) => id !== $session.get()?.userId)
  } catch (error) {
    logOnly('administrators')(error)
    return null
  }
}

export function showPicker(administrators: readonly Administrator[]): void {
  $state.set({ phase: 'open', administrators, hasFailed: false })
}

export function closePicker(): void {
  $state.set({ phase: 'closed' })
}

/** Creates or fetches the room of two users. Any answer other than a refusal counts as success. */
export async function createRoom(user1Id: number, user2Id: number): Promise<void> {
  try {
    await ask(({ chat }) => chat.openRoom, { query: { user1Id, user2Id } })
  } catch (error) {
    if (problemOf(error).code !== 'bad_answer') throw error
  }
}

/**
 * Creates or fetches the room with an administrator, and closes the modal. Returns the room's id,
 * which is derived from both users' ids and not from the answer, or null on failure, which the modal
 * says if it is open.
 */
export async function openRoomWith({ id, username }: Administrator): Promise<string | null> {
  const userId = $session.get()?.userId
  if (userId === undefined || $busy.get()) return null
  $busy.set(true)
  showFailure(false)
  try {
    await createRoom(userId, id)
    const roomId = idOfRoom(userId, id)
    addRoom(roomId, username)
    closePicker()
    return roomId
  } catch (error) {
    logOnly('conversation')(error)
    showFailure(true)
    return null
  } finally {
    $busy.set(false)
  }
}

function showFailure(hasFailed: boolean): void {
  const picker = $state.get()
  if (picker.phase === 'open') $state.set({ ...picker, hasFailed })
}

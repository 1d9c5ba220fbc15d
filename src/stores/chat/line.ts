import { atom, readonlyType } from 'nanostores'
import type { Live, LiveListener, OpenLive } from '../../client/live.ts'
import type { Message } from '../../contract/chat.ts'
import { logOnly } from '../shared/problem.ts'

export type Line = 'connecting' | 'open' | 'lost'

const $state = atom<Line>('connecting')
export const $line = readonlyType($state)

let openLive: OpenLive | undefined

/** Replaces the browser's connection; for tests. */
export function connectBy(open: OpenLive): void {
  openLive = open
}

let live: Live | undefined
let isOpen = false
let followed: readonly string[] = []

export async function openLine(listener: LiveListener): Promise<void> {
  isOpen = true
  $state.set('connecting')
  try {
    // Loaded only by this page, after it has shown something.
    openLive ??= (await import('../../client/live.ts')).openLive
  } catch (error) {
    logOnly('live connection')(error)
    $state.set('lost')
    return
  }
  if (!isOpen || live) return
  live = openLive({
    ...listener,
    onOpen: () => {
      $state.set('open')
      listener.onOpen()
    },
    onLost: () => {
      $state.set('lost')
      listener.onLost()
    },
  })
  live.follow(followed)
}

/** Follows the messages of these rooms and no others. */
export function followRooms(roomIds: readonly string[]): void {
  followed = roomIds
  live?.follow(roomIds)
}

/**
 * Publishes a saved message to the other sessions in the room; does nothing without a connection.
 */
export function publish(message: Message): void {
  live?.publish(message)
}

export function closeLine(): void {
  isOpen = false
  live?.close()
  live = undefined
  followed = []
  $state.set('connecting')
}

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { markNewestSeen } from '../../stores/chat/chat.ts'
import type { Message } from '../../stores/chat/history.ts'
import type { WaitingMessage } from '../../stores/chat/outbox.ts'

interface Options {
  messages: readonly Message[]
  waiting: readonly WaitingMessage[]
  me: number
  /** The oldest message is in sight. */
  onTop: () => void
}

/** Nearer than this to an end counts as there (pixels). */
const NEAR = 48

/**
 * How a conversation scrolls: it stays at the newest message while it is there, or while its reader
 * writes; older messages come in above without moving what is read.
 */
export function useScroll({ messages, waiting, me, onTop }: Options) {
  const ref = useRef<HTMLElement>(null)
  const before = useRef({ isAtBottom: true, first: 0, last: 0, waiting: 0, height: 0, top: 0 })
  const [hasNewBelow, setNewBelow] = useState(false)
  const first = messages[0]?.id ?? 0
  const newest = messages.at(-1)
  const last = newest?.id ?? 0
  const isMine = newest?.senderId === me

  const look = () => {
    const box = ref.current
    if (!box || box.clientHeight === 0) return
    const was = before.current
    was.isAtBottom = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR
    was.height = box.scrollHeight
    was.top = box.scrollTop
    if (box.scrollTop < NEAR) onTop()
    if (!was.isAtBottom) return
    setNewBelow(false)
    if (!document.hidden) markNewestSeen()
  }
  const toBottom = () => {
    const box = ref.current
    if (box) box.scrollTop = box.scrollHeight
    look()
  }

  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    const was = before.current
    const hasWritten = waiting.length > was.waiting
    if (was.isAtBottom || hasWritten) box.scrollTop = box.scrollHeight
    else if (first < was.first) box.scrollTop = was.top + box.scrollHeight - was.height
    else if (last > was.last && !isMine) setNewBelow(true)
    Object.assign(was, { first, last, waiting: waiting.length })
    look()
  })

  const onLook = useEffectEvent(look)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    // Cards that arrive and a keyboard that opens change the height; what was at the bottom stays.
    const keep = () => {
      if (before.current.isAtBottom) box.scrollTop = box.scrollHeight
      onLook()
    }
    const observer = new ResizeObserver(keep)
    observer.observe(box)
    if (box.lastElementChild) observer.observe(box.lastElementChild)
    document.addEventListener('visibilitychange', onLook)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', onLook)
    }
  }, [])

  return { ref, hasNewBelow, toBottom, onScroll: look }
}

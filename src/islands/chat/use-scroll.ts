import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from '../../contract/chat.ts'
import type { WaitingMessage } from '../../stores/user-data/unsent-texts.ts'

interface Options {
  messages: readonly Message[]
  waiting: readonly WaitingMessage[]
  me: number
  /** Called when the oldest message is in sight. */
  onTop: () => void
  /** Called when the newest message is in sight. */
  onNewest: () => void
}

/** A position within this many pixels of an end counts as being at that end. */
const NEAR = 48

/**
 * Scrolls a conversation: it stays at the newest message if it was there, and goes there when the
 * user sends one; older messages are added above without moving those on the screen.
 */
export function useScroll({ messages, waiting, me, onTop, onNewest }: Options) {
  const ref = useRef<HTMLElement>(null)
  const before = useRef({ isAtBottom: true, first: 0, last: 0, waiting: 0, height: 0, top: 0 })
  const [hasNewBelow, setNewBelow] = useState(false)
  const first = messages[0]?.id ?? 0
  const newest = messages.at(-1)
  const last = newest?.id ?? 0
  const isMine = newest?.senderId === me

  const afterScroll = () => {
    const box = ref.current
    if (!box || box.clientHeight === 0) return
    const was = before.current
    was.isAtBottom = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR
    was.height = box.scrollHeight
    was.top = box.scrollTop
    if (box.scrollTop < NEAR) onTop()
    if (!was.isAtBottom) return
    setNewBelow(false)
    if (!document.hidden) onNewest()
  }
  const toBottom = () => {
    const box = ref.current
    if (box) box.scrollTop = box.scrollHeight
    afterScroll()
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
    afterScroll()
  })

  const onResize = useEffectEvent(afterScroll)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    // Cards that load and the on-screen keyboard change the height; a list scrolled to its bottom
    // must stay there.
    const keep = () => {
      if (before.current.isAtBottom) box.scrollTop = box.scrollHeight
      onResize()
    }
    const observer = new ResizeObserver(keep)
    observer.observe(box)
    if (box.lastElementChild) observer.observe(box.lastElementChild)
    document.addEventListener('visibilitychange', onResize)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', onResize)
    }
  }, [])

  return { ref, hasNewBelow, toBottom, onScroll: afterScroll }
}

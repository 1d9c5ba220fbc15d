import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** Up to this width, in pixels, the layout is that of a phone. */
const MOBILE_BREAKPOINT = 768

/** Which of the two panes a phone shows. */
type Pane = 'list' | 'room'

/**
 * The state of an entry in the browser's history: the pane, and whether the entry before it is the
 * list.
 */
interface Entry {
  pane: Pane
  isOverList: boolean
}

const isPhone = () => matchMedia(`(width <= ${MOBILE_BREAKPOINT}px)`).matches

function entryNow(): Entry | null {
  const { pane, isOverList } = (history.state ?? {}) as Partial<Entry>
  return pane === 'list' || pane === 'room' ? { pane, isOverList: isOverList === true } : null
}

export const roomInAddress = () => new URLSearchParams(location.search).get('room')

export function documentInAddress(): number | null {
  const id = Number(new URLSearchParams(location.search).get('document'))
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

function addressWith(name: 'room' | 'document', value: string | null): string {
  const query = new URLSearchParams(location.search)
  if (value === null) query.delete(name)
  else query.set(name, value)
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
}

export function forgetDocument(): void {
  history.replaceState(history.state, '', addressWith('document', null))
}

const writeEntry = (method: 'pushState' | 'replaceState', entry: Entry, roomId: string | null) =>
  history[method](entry, '', addressWith('room', roomId))

/**
 * The pane that phones show. Each pane is an entry of the browser's history, so that going back
 * from a conversation leads to the list, even if the visitor came to the conversation directly.
 */
export function usePane(activeId: string | null, select: (roomId: string) => void) {
  const [pane, setPane] = useState<Pane>('list')
  const onMove = useEffectEvent(() => {
    setPane(entryNow()?.pane ?? 'room')
    const roomId = roomInAddress()
    if (roomId !== null) select(roomId)
  })

  useEffect(() => {
    const follow = () => onMove()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  useEffect(() => {
    if (activeId === null || roomInAddress() === activeId) {
      if (activeId !== null) setPane(entryNow()?.pane ?? 'room')
      return
    }
    const entry = entryNow()
    if (!isPhone())
      writeEntry('replaceState', entry ?? { pane: 'room', isOverList: false }, activeId)
    else if (entry === null) {
      writeEntry('replaceState', { pane: 'list', isOverList: false }, null)
      writeEntry('pushState', { pane: 'room', isOverList: true }, activeId)
    }
    setPane(entryNow()?.pane ?? 'room')
  }, [activeId])

  const open = (roomId: string) => {
    select(roomId)
    const entry = entryNow()
    const isFromList = isPhone() && (entry === null || entry.pane === 'list')
    // Going back must lead to the list.
    if (isFromList && entry === null)
      writeEntry('replaceState', { pane: 'list', isOverList: false }, null)
    if (isFromList) writeEntry('pushState', { pane: 'room', isOverList: true }, roomId)
    else
      writeEntry('replaceState', { pane: 'room', isOverList: entry?.isOverList ?? false }, roomId)
    setPane('room')
  }
  /** Goes back to the list, like the browser's own button. */
  const back = () => {
    if (entryNow()?.isOverList) return history.back()
    writeEntry('replaceState', { pane: 'list', isOverList: false }, null)
    setPane('list')
  }
  return { pane, open, back }
}

/**
 * Sets `--visible` to the height left above the on-screen keyboard: in browsers that do not shrink
 * the window, the keyboard would hide the composer.
 */
export function useVisibleHeight(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const update = () => {
      const isZoomed = viewport.scale > 1.01
      const style = element.current?.style
      if (isZoomed) style?.removeProperty('--visible')
      else style?.setProperty('--visible', `${Math.round(viewport.height)}px`)
    }
    update()
    viewport.addEventListener('resize', update)
    return () => viewport.removeEventListener('resize', update)
  }, [element])
}

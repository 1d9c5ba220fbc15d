import { type RefObject, useEffect } from 'react'

/**
 * Sets for the styles how much of the window is left over the on-screen keyboard (`--visible`): where
 * the window itself does not shrink, what one writes would stand under it.
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

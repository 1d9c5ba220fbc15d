import { type RefObject, useEffect } from 'react'

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

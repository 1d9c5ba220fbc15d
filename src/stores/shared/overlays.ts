import { atom } from 'nanostores'

const WAKE = 'karras:wake'
const $areThere = atom(false)

/** Whether calls for the overlays island have been answered. */
export const overlaysAreThere = () => $areThere.set(true)

/**
 * Wakes the islands that wait for the page's call (`client:intent="on-call"`): the overlays, which
 * show purchases, previews and payments, and the form of ratings. Resolves when the overlays are
 * there; rejects if they could not be loaded.
 */
export function callOverlays(): Promise<void> {
  if ($areThere.get()) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const stop = $areThere.listen(() => {
      stop()
      resolve()
    })
    // Astro reports so that an island could not be loaded.
    document.addEventListener('astro:hydration-error', reject, { once: true })
    document.dispatchEvent(new Event(WAKE))
  })
}

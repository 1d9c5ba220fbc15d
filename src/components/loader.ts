import { LOADER_FADE_OUT_MS, LOADER_MIN_DURATION_MS } from '../rules/durations.ts'

/** A shorter wait shows nothing (ms). */
const SLOW_MS = 300
/** After this time (ms) a navigation counts as over. */
const GIVEN_UP_MS = 15_000

/** An overlay over the whole page during a slow navigation, or work that `whileLoading` announces. */
class PageLoader extends HTMLElement {
  connectedCallback(): void {
    let waits = 0
    let shownAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined

    const isShown = () => this.matches(':popover-open')
    const later = (action: () => void, ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(action, ms)
    }
    const showLoader = () => {
      shownAt = performance.now()
      delete this.dataset.leaving
      // A popover is in the top layer, above an open dialog.
      this.showPopover()
      // Screen readers announce only text that is set while the live region is visible.
      this.textContent = this.dataset.text ?? ''
    }
    const hide = () => {
      clearTimeout(timer)
      this.hidePopover()
      this.textContent = ''
    }
    const fadeOut = () => {
      this.dataset.leaving = ''
      later(hide, LOADER_FADE_OUT_MS)
    }
    const begin = () => {
      waits++
      if (waits === 1) later(showLoader, isShown() ? 0 : SLOW_MS)
    }
    const end = () => {
      waits = Math.max(0, waits - 1)
      if (waits > 0) return
      if (isShown()) later(fadeOut, shownAt + LOADER_MIN_DURATION_MS - performance.now())
      else hide()
    }

    document.addEventListener('karras:loading', (event) => {
      begin()
      Promise.resolve((event as CustomEvent<Promise<unknown>>).detail).then(end, end)
    })
    // Browsers without the Navigation API show only their own progress indicator.
    window.navigation?.addEventListener('navigate', (event) => {
      const { destination, hashChange, downloadRequest } = event
      if (destination.sameDocument || hashChange || downloadRequest !== null) return
      // Addresses of the API become downloads, which do not report their end.
      if (destination.url.includes('/api/')) return
      begin()
      setTimeout(end, GIVEN_UP_MS)
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      waits = 0
      hide()
    })
  }
}

customElements.define('page-loader', PageLoader)
